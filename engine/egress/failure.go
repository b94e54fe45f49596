package egress

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"perch/engine/abi"
	"perch/engine/event"
)

// failure is an error answer, and what a finding says beside it.
type failure struct {
	kind abi.ErrorKind
	text string // for the module
	told string // for people, where it is not text: what fix says is left out
	fix  string
	more string // a sentence for people alone, behind the text
	// rule is set where the kind alone does not tell it.
	rule    abi.RuleID
	offset  int // in the request's JSON
	pointer string
	quiet   bool   // no finding: a mock's error, a request after the verdict
	mock    string // source of the mock that answered it
}

func fail(kind abi.ErrorKind, format string, args ...any) *failure {
	return &failure{kind: kind, text: fmt.Sprintf(format, args...)}
}

func (f *failure) withFix(fix string) *failure {
	f.fix = fix
	return f
}

// breach is the finding about a failure.
func (f *failure) breach(at event.Where) event.Breach {
	at.Offset, at.End, at.Pointer = int64(f.offset), int64(f.offset), f.pointer
	detail := fmt.Sprintf("%s: %s", f.kind, cmp.Or(f.told, f.text))
	if f.more != "" {
		detail += ". " + f.more
	}
	return event.Breach{Rule: cmp.Or(f.rule, ruleOf(f.kind)), Where: at, Detail: detail, Fix: sentence(f.fix)}
}

// ruleOf names the rule that an error kind breaks.
func ruleOf(kind abi.ErrorKind) abi.RuleID {
	switch kind {
	case abi.ErrInvalidRequest:
		return abi.HTTPInvalidRequest
	case abi.ErrHostNotAllowed:
		return abi.HTTPHostNotAllowed
	case abi.ErrForbiddenDestination:
		return abi.HTTPForbiddenDestination
	case abi.ErrCredentialHeader:
		return abi.HTTPCredentialHeader
	case abi.ErrCredentialUnavailable:
		return abi.HTTPCredentialUnavailable
	case abi.ErrTooManyRedirects:
		return abi.HTTPRedirects
	case abi.ErrTimeout:
		return abi.HTTPTimeout
	case abi.ErrTooLarge:
		return abi.HTTPTooLarge
	case abi.ErrNotText:
		return abi.HTTPNotText
	case abi.ErrWriteBudget:
		return abi.HTTPWriteBudget
	case abi.ErrBadPath:
		return abi.HTTPBadPath
	}
	return abi.HTTPConnection
}

// pathFailure makes an answer of an error of Files.
func pathFailure(path string, err error) *failure {
	var bad *PathError
	switch {
	case errors.Is(err, ErrBudget):
		return fail(abi.ErrWriteBudget, "%s: the write budget of this call is used up", path).
			withFix("Write less, or ask the server for less")
	case errors.As(err, &bad):
		return badPath(path, bad.Why)
	}
	return badPath(path, err.Error())
}

func badPath(path, why string) *failure {
	return fail(abi.ErrBadPath, "%s: %s", path, why).
		withFix("Name a file beneath " + abi.VolumeTmp + ", or beneath " + abi.VolumeData + " where that is enabled")
}

// connectionText says what went wrong on the way to host, in plain words.
func connectionText(host string, err error) string {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		cert      x509.CertificateInvalidError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		op        *net.OpError
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf("%s: there is no such name", host)
	case errors.As(err, &dns):
		return fmt.Sprintf("%s: the name could not be looked up: %s", host, dns.Err)
	case errors.As(err, &authority):
		return fmt.Sprintf("%s: its certificate is not signed by an authority that is trusted here", host)
	case errors.As(err, &name):
		return fmt.Sprintf("%s: its certificate is for another name: %s", host, strings.TrimPrefix(name.Error(), "x509: "))
	case errors.As(err, &cert):
		return fmt.Sprintf("%s: its certificate does not hold: %s", host, strings.TrimPrefix(cert.Error(), "x509: "))
	case errors.As(err, &record):
		return fmt.Sprintf("%s: the server does not speak TLS", host)
	case errors.As(err, &alert):
		return fmt.Sprintf("%s: the server ended the TLS handshake: %s", host, alert)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%s: nothing listens there, the connection was refused", host)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fmt.Sprintf("%s: the server reset the connection", host)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Sprintf("%s: the server closed the connection before its answer was whole", host)
	case errors.As(err, &op):
		return fmt.Sprintf("%s: %s: %s", host, op.Op, op.Err)
	}
	text := err.Error()
	for _, prefix := range []string{"net/http: ", "HTTP/1.x ", "transport connection broken: ", "net/http: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return fmt.Sprintf("%s: %s", host, text)
}
