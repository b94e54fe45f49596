package egress

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"

	"perch/engine/abi"
	"perch/engine/event"
)

// maxEncodings is how many encodings of one body are taken off; a longer
// content-encoding leaves the body as it came.
const maxEncodings = 4

// read reads the final body: decoded, counted while it comes, to its output.
func (h *hop) read(res *response) (*reply, *failure) {
	r := &reply{status: res.status, headers: res.headers}
	if res.mock != nil {
		r.mock = res.mock.Source
	}
	body, decoded, err := h.decoded(res)
	if err != nil {
		return nil, h.cut(res, 0, err)
	}
	if decoded {
		r.headers = slices.DeleteFunc(slices.Clone(r.headers), func(f event.Header) bool {
			return f.Name == "content-encoding" || f.Name == "content-length"
		})
	}
	if h.req.Output != "" {
		return r, h.save(res, r, body)
	}
	return r, h.inline(res, r, body)
}

// decoded takes the encodings off that perch asked for; decoded is false when
// the body is read as it came.
func (h *hop) decoded(res *response) (body io.Reader, decoded bool, err error) {
	buffered := bufio.NewReader(res.body)
	names := encodings(res.headers)
	noBody := h.method == http.MethodHead || res.status == http.StatusNoContent || res.status == http.StatusNotModified
	if h.acceptsEncoding() || len(names) == 0 || len(names) > maxEncodings || noBody {
		return buffered, false, nil
	}
	for _, name := range names {
		if name != "gzip" && name != "x-gzip" && name != "br" {
			return buffered, false, nil
		}
	}
	if _, err := buffered.Peek(1); err == io.EOF {
		return buffered, true, nil
	}
	body = buffered
	for _, name := range slices.Backward(names) {
		if name == "br" {
			body = &unpacker{name, brotli.NewReader(body)}
			continue
		}
		z, err := gzip.NewReader(body)
		if err != nil {
			return nil, false, unpackError(name, err)
		}
		body = &unpacker{name, z}
	}
	return body, true, nil
}

// encodings are the names in content-encoding, in the order they were applied.
func encodings(headers []event.Header) []string {
	var names []string
	for _, f := range headers {
		if f.Name != "content-encoding" {
			continue
		}
		for name := range strings.SplitSeq(f.Value, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	return names
}

// unpacker names the encoding in the errors of its reader.
type unpacker struct {
	name string
	r    io.Reader
}

// Read implements io.Reader.
func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	return n, unpackError(u.name, err)
}

// errPacked is a body that its content-encoding does not unpack.
type errPacked struct{ text string }

func (e *errPacked) Error() string { return e.text }

func unpackError(name string, err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) ||
		err != nil && strings.HasPrefix(err.Error(), "brotli: ") {
		return &errPacked{fmt.Sprintf("its body is not %s, as content-encoding says: %s", name, err)}
	}
	return err
}

// cut is the failure of a body that ends early or does not unpack.
func (h *hop) cut(res *response, got int64, err error) *failure {
	var packed *errPacked
	switch {
	case h.pat.timedOut():
		return h.broken(err)
	case errors.As(err, &packed):
		return fail(abi.ErrConnection, "%s: %s", h.target.shown(), packed.text)
	case errors.Is(err, io.ErrUnexpectedEOF):
		of := ""
		for _, f := range res.headers {
			if f.Name == "content-length" {
				of = " of " + f.Value
			}
		}
		return fail(abi.ErrConnection, "%s: the body was cut short: %d%s bytes came, %d unpacked", h.target.shown(), res.wire.n, of, got)
	}
	return h.broken(err)
}

// inline keeps the body for the answer.
func (h *hop) inline(res *response, r *reply, body io.Reader) *failure {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(body, abi.MaxInline+1))
	h.event.BodyBytes = n
	const fix = `Save it to a file: "output":{"type":"file","path":"/volume/tmp/…"}`
	switch {
	case n > abi.MaxInline:
		return fail(abi.ErrTooLarge, "the body of %s is larger than %d bytes (256 KiB), the most that an inline body holds; %d were read%s",
			h.target.shown(), abi.MaxInline, n, packedNote(res, n)).saveInstead(fix)
	case err != nil:
		return h.cut(res, n, err)
	}
	if at, bad := notUTF8(b.Bytes()); bad {
		return fail(abi.ErrNotText, "the body of %s is not UTF-8: byte 0x%02x at %d; %s",
			h.target.shown(), b.Bytes()[at], at, declared(res.headers)).saveInstead(fix + ", and decode it there")
	}
	r.body, r.bytes = b.Bytes(), n
	return nil
}

// saveInstead says to the module what its author is told by the fix.
func (f *failure) saveInstead(fix string) *failure {
	f.told = f.text
	f.text += ". Save it to a file instead"
	return f.withFix(fix)
}

func packedNote(res *response, n int64) string {
	if res.wire.n == n {
		return ""
	}
	return fmt.Sprintf(" (unpacked from %d)", res.wire.n)
}

// notUTF8 finds the first byte that is not part of a UTF-8 text.
func notUTF8(b []byte) (at int, bad bool) {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i, true
		}
		i += size
	}
	return 0, false
}

// declared says what content-type claims of the body's bytes.
func declared(headers []event.Header) string {
	for _, f := range headers {
		if f.Name != "content-type" {
			continue
		}
		if _, params, err := mime.ParseMediaType(f.Value); err == nil && params["charset"] != "" {
			return "content-type declares charset " + short(latin1(params["charset"]))
		}
		return "content-type is " + short(latin1(f.Value)) + ", without a charset"
	}
	return "there is no content-type"
}

// save streams the body into the output file. What came before a failure stays
// in the file; that is our choice, and the message says it.
func (h *hop) save(res *response, r *reply, body io.Reader) (failed *failure) {
	path := h.req.Output
	out, err := h.client.cfg.Files.CreateOutput(path)
	if err != nil {
		return pathFailure(path, err)
	}
	kept := &keeper{w: out}
	n, err := io.Copy(kept, body)
	if cerr := out.Close(); err == nil && kept.err == nil {
		kept.err = cerr
	}
	h.event.BodyBytes = n
	r.file, r.bytes = path, n
	switch {
	case errors.Is(kept.err, ErrBudget):
		failed = pathFailure(path, kept.err)
	case kept.err != nil:
		failed = badPath(path, "it could not be written: "+kept.err.Error())
	case err != nil:
		failed = h.cut(res, n, err)
	default:
		return nil
	}
	failed.text += fmt.Sprintf(". The %d bytes that came stay in %s", n, path)
	return failed
}

// keeper tells errors of the file from errors of the server.
type keeper struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (k *keeper) Write(p []byte) (int, error) {
	n, err := k.w.Write(p)
	if err != nil {
		k.err = err
	}
	return n, err
}
