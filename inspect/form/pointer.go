package form

import (
	"strconv"
	"strings"
)

// member is the pointer of a member of the object at path.
func member(path, name string) string {
	if strings.ContainsAny(name, "~/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	}
	return path + "/" + name
}

// element is the pointer of an element of the list at path.
func element(path string, i int) string { return path + "/" + strconv.Itoa(i) }

// cut splits a pointer into that of the parent and the last token's name; ok is
// false for the root.
func cut(path string) (parent, name string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", "", false
	}
	return path[:i], unescape(path[i+1:]), true
}

func unescape(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// within reports whether path is below the place above.
func within(path, above string) bool {
	return len(path) > len(above) && path[len(above)] == '/' && path[:len(above)] == above
}

// index reads the token of an element; -1 when it is none.
func index(token string) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || strconv.Itoa(i) != token {
		return -1
	}
	return i
}

// elementKey splits a key that lies at or below an element of a list: the index
// and the rest of the key behind it.
func elementKey(key, list string) (i int, rest string, ok bool) {
	if !within(key, list) {
		return 0, "", false
	}
	token := key[len(list)+1:]
	if end := strings.IndexAny(token, "/\x00"); end >= 0 {
		token, rest = token[:end], token[end:]
	}
	i = index(token)
	return i, rest, i >= 0
}
