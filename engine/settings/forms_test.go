package settings_test

import (
	"strings"
	"testing"
	"time"

	"perch/engine/settings"
)

func TestMemory(t *testing.T) {
	for text, want := range map[string]uint64{
		"256MiB": 256 << 20, "64 KiB": 64 << 10, "64KiB": 64 << 10, "4GiB": 4 << 30, "65536": 65536, "65536B": 65536, "4294967296": 4 << 30, " 1 gib ": 1 << 30, "4096mib": 4 << 30,
	} {
		if s, _ := load(t, "", settings.Flags{Memory: &text}); s.Memory.V != want {
			t.Errorf("%q: %d", text, s.Memory.V)
		}
	}
	for text, want := range map[string]string{
		"lots": "has a unit that is not B, KiB, MiB or GiB", "0": "is out of range", "5GiB": "is out of range", "4097MiB": "is out of range",
		"4294967297": "is out of range", "99999999999999999999": "is out of range", "18014398509481985KiB": "is out of range",
		"256MB": "has a unit that is not", "": "is no size", "MiB": "is no size", "-64KiB": "is no size", "1.5GiB": "is no size", "1 2MiB": "is no size",
		"100": "is not a multiple of 64 KiB", "65KiB": "is not a multiple of 64 KiB", "0GiB": "is out of range",
	} {
		_, _, err := settings.Load("", settings.Flags{Memory: &text}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "--memory: ") || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "Between 64 KiB and 4 GiB in steps of 64 KiB, such as 256MiB") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if s := trusted(t, "memory = 0x10_0000", settings.Flags{}); s.Memory.V != 1<<20 {
		t.Errorf("a number: %d", s.Memory.V)
	}
}

func TestTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{"30s": 30 * time.Second, "1m30s": 90 * time.Second, "500ms": time.Second / 2} {
		if s, _ := load(t, "", settings.Flags{Timeout: &text}); s.Timeout.V != want {
			t.Errorf("%q: %v", text, s.Timeout.V)
		}
	}
	for _, text := range []string{"", "30", "-1s", "0", "x", "9999999999h"} {
		if _, _, err := settings.Load("", settings.Flags{Timeout: &text}, nil); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestAllow(t *testing.T) {
	for text, want := range map[string]string{
		"api.example.com": "api.example.com", "API.Example.COM": "api.example.com", "*.example.com": "*.example.com", "x:443": "x", "x:8443": "x:8443",
		"*.x:8443": "*.x:8443", "bücher.example": "xn--bcher-kva.example", "*.Bücher.example": "*.xn--bcher-kva.example", "a_b.example": "a_b.example",
		"127.0.0.1": "127.0.0.1", "[::1]": "[::1]", "[::1]:8443": "[::1]:8443", "xn--bcher-kva.example": "xn--bcher-kva.example", "localhost": "localhost",
	} {
		if s, _ := load(t, "", settings.Flags{Allow: []string{text}}); len(s.Allow) != 1 || s.Allow[0].V != want || s.Allow[0].From != "flag --allow" {
			t.Errorf("%q: %+v", text, s.Allow)
		}
	}
	for text, want := range map[string]string{
		"": "there is no host", "*": "would allow every host", "*:443": "would allow every host", "https://x": "it is a URL", "x/y": "a path stands behind the host",
		"x:0": "the port is no number", "x:65536": "the port is no number", "x:": "the port is no number", "x:a": "the port is no number", "x:080": "the port is no number",
		"a.*.x": "a * stands for the first part alone", "*x": "a * stands for the first part alone", "a b": "no possible name", "-x": "no possible name", "a..b": "no possible name",
		"x.": "no possible name", "user@x": "no possible name", "*.127.0.0.1": "a * stands before an address", "0x7f.1": "ends in a number", "1.2.3": "ends in a number",
		"[::1]x": "something stands behind the address", "[x]": "no IPv6 address", "[fe80::1%eth0]": "no IPv6 address", strings.Repeat("a", 64): "no possible name",
		strings.Repeat("a.", 130) + "x": "longer than 253 bytes", "a\x1bb": "no possible name", "\u202e.example": "no possible name",
	} {
		_, _, err := settings.Load("", settings.Flags{Allow: []string{text}}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "--allow: ") || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x1b\u202e") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRoute(t *testing.T) {
	for text, want := range map[string]string{
		"api.example.com=127.0.0.1:8443": "api.example.com 443 127.0.0.1:8443", "X:8080=[::1]:1": "x 8080 [::1]:1", "x=localhost:9": "x 443 127.0.0.1:9",
	} {
		s, _ := load(t, "", settings.Flags{Route: []string{text}})
		if len(s.Routes) != 1 {
			t.Fatalf("%q: %+v", text, s.Routes)
		}
		r := s.Routes[0].V
		if got := strings.Join([]string{r.Host, itoa(r.Port), r.Addr.String()}, " "); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	for text, want := range map[string]string{
		"x": "there is no =", "x=127.0.0.1": "no address with a port", "x=example.com:1": "no address with a port", "x=127.0.0.1:0": "no address with a port",
		"=127.0.0.1:1": "there is no host", "*.x=127.0.0.1:1": "a * stands for", "https://x=127.0.0.1:1": "it is a URL",
	} {
		_, _, err := settings.Load("", settings.Flags{Route: []string{text}}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "api.example.com=127.0.0.1:8443") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := settings.Load("", settings.Flags{Route: []string{"x=127.0.0.1:1", "x=127.0.0.1:1"}}, nil); err != nil {
		t.Errorf("the same twice: %v", err)
	}
	if _, _, err := settings.Load("", settings.Flags{Route: []string{"x=127.0.0.1:1", "X=127.0.0.1:2"}}, nil); err == nil || !strings.Contains(err.Error(), "second route") {
		t.Errorf("two for one host: %v", err)
	}
}

func itoa(n uint16) string {
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append([]byte{byte('0' + n%10)}, digits...)
	}
	return string(digits)
}

func TestCredential(t *testing.T) {
	for text, want := range map[string]settings.Credential{
		"https://api.example.com=authorization:env:TOKEN":     {Origin: "https://api.example.com", Header: "authorization", Env: "TOKEN"},
		"https://API.example.com:443=X-Api-Key:env:_k1":       {Origin: "https://api.example.com", Header: "x-api-key", Env: "_k1"},
		"https://api.example.com:8443=authorization:env:AbCd": {Origin: "https://api.example.com:8443", Header: "authorization", Env: "AbCd"},
	} {
		if s, _ := load(t, "", settings.Flags{Credential: []string{text}}); len(s.Credentials) != 1 || s.Credentials[0].V != want {
			t.Errorf("%q: %+v", text, s.Credentials)
		}
	}
	const secret = "s3cr3t"
	for text, want := range map[string]string{
		secret:                "there is no =",
		"https://x=" + secret: "does not name a header and a variable",
		"https://x=authorization:Bearer " + secret:     "does not name a header and a variable",
		"https://x=authorization:env:Bearer " + secret: "names no possible variable",
		"https://x=authorization:env:1" + secret:       "names no possible variable",
		"https://x=" + secret + " :env:T":              "names no possible header",
		"https://x=:env:T":                             "names no possible header",
		"https://x=Host:env:T":                         "names a connection header, which is never sent",
		"https://x=h:env:":                             "names no possible variable",
		"https://u:" + secret + "@x=h:env:T":           "has no usable origin",
		"https://x/" + secret + "=h:env:T":             "has no usable origin: a path stands behind the host",
		"http://" + secret + "=h:env:T":                "is no https:// URL",
		secret + "=h:env:T":                            "is no https:// URL",
	} {
		_, _, err := settings.Load("", settings.Flags{Credential: []string{text}}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
