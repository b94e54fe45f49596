package export

import "strings"

// Address is an address with what is likely a secret in it hidden: the password
// before the host, and values of the query whose names say so. All else stays as
// it is. n is how many were hidden.
func Address(url string) (masked string, n int) {
	start := 0
	if i := strings.Index(url, "://"); i >= 0 {
		start = i + 3
	}
	end := len(url)
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		end = start + i
	}
	host := url[start:end]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		if colon := strings.IndexByte(host[:at], ':'); colon >= 0 && colon+1 < at {
			host, n = host[:colon+1]+hidden+host[at:], 1
		}
	}
	rest := url[end:]
	fragment := ""
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, fragment = rest[:i], rest[i:]
	}
	path, query, has := strings.Cut(rest, "?")
	if !has {
		return url[:start] + host + rest + fragment, n
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		if name, value, ok := strings.Cut(part, "="); ok && value != "" && secretName(name) {
			parts[i] = name + "=" + hidden
			n++
		}
	}
	return url[:start] + host + path + "?" + strings.Join(parts, "&") + fragment, n
}

// secretName reports whether the name of a query's value says that it is a
// secret. Which names do is our own choice.
func secretName(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	switch name {
	case "key", "auth", "sig", "code", "jwt", "pwd", "pass", "session", "sid":
		return true
	}
	for _, end := range []string{"token", "apikey", "secret", "password", "signature", "credential", "accesskey", "secretkey"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
