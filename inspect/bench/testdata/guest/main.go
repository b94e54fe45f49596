// Command guest is a function package that tells what it sees of its files.
// Its one tool, act, is told by its argument what to do; package bench builds
// it in a test.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Arguments struct {
			Do string `json:"do"`
		} `json:"arguments"`
	} `json:"params"`
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q request
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var result any
		switch q.Method {
		case "server/discover":
			result = map[string]any{"supportedVersions": []string{"2026-07-28"}, "capabilities": map[string]any{"tools": struct{}{}}}
		case "tools/list":
			result = map[string]any{"tools": []any{map[string]any{"name": "act", "description": "Does as told.", "inputSchema": map[string]any{"type": "object"}}}}
		case "tools/call":
			text := strings.Join(act(q.Params.Arguments.Do), "\n")
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
		}
		answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": result})
		os.Stdout.Write(append(answer, '\n'))
	}
}

func act(do string) []string {
	switch do {
	case "deadlock":
		<-make(chan int)
	case "timer":
		<-time.After(24 * time.Hour)
	case "preopens":
		return preopens()
	case "rename":
		return renames()
	case "links":
		return links()
	case "list small":
		return list(64, false)
	case "list large":
		return list(4096, false)
	case "list remove":
		return list(4096, true)
	}
	return nil
}

//go:wasmimport wasi_snapshot_preview1 fd_prestat_get
func fdPrestatGet(fd int32, out unsafe.Pointer) uint32

//go:wasmimport wasi_snapshot_preview1 fd_prestat_dir_name
func fdPrestatDirName(fd int32, name unsafe.Pointer, n uint32) uint32

//go:wasmimport wasi_snapshot_preview1 fd_readdir
func fdReaddir(fd int32, buf unsafe.Pointer, n uint32, cookie uint64, used unsafe.Pointer) uint32

func preopens() []string {
	var all []string
	for fd := int32(3); ; fd++ {
		var stat [2]uint32
		if e := fdPrestatGet(fd, unsafe.Pointer(&stat)); e != 0 {
			return append(all, syscall.Errno(e).Error())
		}
		name := make([]byte, stat[1])
		fdPrestatDirName(fd, unsafe.Pointer(&name[0]), stat[1])
		all = append(all, string(name))
	}
}

// told is the errno of an error, or "ok".
func told(err error) string {
	var e syscall.Errno
	if errors.As(err, &e) {
		return fmt.Sprint(uint32(e))
	}
	if err != nil {
		return err.Error()
	}
	return "ok"
}

func renames() []string {
	os.WriteFile("/volume/tmp/a", []byte("new"), 0o600)
	os.WriteFile("/volume/tmp/b", []byte("old"), 0o600)
	out := []string{
		"over a file: " + told(os.Rename("/volume/tmp/a", "/volume/tmp/b")),
		"across: " + told(os.Rename("/volume/tmp/b", "/volume/data/b")),
	}
	b, err := os.ReadFile("/volume/data/b")
	os.WriteFile("/volume/tmp/c", nil, 0o600)
	return append(out, "there: "+string(b)+" "+told(err), "into /package: "+told(os.Rename("/volume/tmp/c", "/package/c")))
}

func links() []string {
	var out []string
	try := func(name string, err error) { out = append(out, name+": "+told(err)) }
	_, err := os.ReadFile("/volume/tmp/out/canary")
	try("the host's link", err)
	_, err = os.ReadFile("/volume/tmp/../../canary")
	try("dots", err)
	try("own link", os.Symlink("../../..", "/volume/tmp/own"))
	_, err = os.ReadFile("/volume/tmp/own/canary")
	try("through own link", err)
	try("absolute link", os.Symlink("/etc", "/volume/tmp/etc"))
	try("hard link", os.Link("/volume/tmp/out/canary", "/volume/tmp/hard"))
	try("write", os.WriteFile("/volume/tmp/out/canary", []byte("changed"), 0o600))
	return out
}

// list reads /volume/tmp/many entry by entry, with a buffer of n bytes.
func list(n uint32, remove bool) []string {
	const dir = "/volume/tmp/many"
	for i := range 300 {
		name := fmt.Sprintf("%03d é 🙂 %s", i, strings.Repeat("x", i%180))
		if err := os.WriteFile(dir+"/"+name, nil, 0o600); err != nil && i == 0 {
			os.Mkdir(dir, 0o700)
			os.WriteFile(dir+"/"+name, nil, 0o600)
		}
	}
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return []string{err.Error()}
	}
	seen := make(map[string]int)
	buf := make([]byte, n)
	var cookie uint64
	for range 100_000 {
		var used uint32
		if e := fdReaddir(int32(fd), unsafe.Pointer(&buf[0]), uint32(len(buf)), cookie, unsafe.Pointer(&used)); e != 0 {
			return []string{"errno " + fmt.Sprint(e)}
		}
		b, whole := buf[:used], 0
		for len(b) >= 24 {
			next, size := *(*uint64)(unsafe.Pointer(&b[0])), *(*uint32)(unsafe.Pointer(&b[16]))
			if uint32(len(b)) < 24+size {
				break
			}
			name := string(b[24 : 24+size])
			seen[name]++
			if remove && name != "." && name != ".." {
				os.Remove(dir + "/" + name)
			}
			cookie, b = next, b[24+size:]
			whole++
		}
		if used < uint32(len(buf)) {
			break
		}
		if whole == 0 { // not even one entry fits
			buf = make([]byte, 2*len(buf))
		}
	}
	var out []string
	for name, times := range seen {
		out = append(out, fmt.Sprintf("%s %d", name, times))
	}
	sort.Strings(out)
	return out
}
