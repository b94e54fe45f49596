package probe

import (
	"fmt"

	"perch/engine/abi"
)

// fixOf is what to do about a finding of a rule.
func fixOf(rule abi.RuleID) string {
	switch rule {
	case abi.ProbeMeta:
		return fmt.Sprintf("Refuse a request whose _meta lacks %s or %s with error %d.", abi.MetaProtocolVersion, abi.MetaClientCapabilities, abi.CodeInvalidParams)
	case abi.ProbeVersion:
		return fmt.Sprintf(`Refuse a revision that you do not speak with error %d and "data":{"supported":[%q],"requested":…}.`, abi.CodeUnsupportedVersion, abi.ProtocolVersion)
	case abi.ProbeMethod:
		return fmt.Sprintf("Answer a method that you do not know with error %d.", abi.CodeMethodNotFound)
	case abi.ProbeTool:
		return fmt.Sprintf("Answer a tool that you do not list with error %d, or with a result that has isError.", abi.CodeInvalidParams)
	case abi.ProbeArguments:
		return "Check arguments against your schema, since Subako does not, and say what is wrong with them in a result with isError."
	case abi.ProbeID:
		return "Keep an id as the JSON text that came, and write it back byte for byte."
	case abi.ProbeNotification:
		return "Pass over each message without an id, whatever its method."
	case abi.ProbeStateless:
		return "Answer each request by what it says alone: keep nothing between requests but files."
	case abi.ProbeClientInfo:
		return "Take a request without " + abi.MetaClientInfo + ": it should be there, and need not."
	case abi.ProbeLongLine:
		return "Read a line to its LF, however long it is: let the buffer grow. Go: bufio.Reader, or Scanner.Buffer. C: getline."
	case abi.ProbeChunkedStdin:
		return "Read on until a line's LF came: one read of stdin is not one line."
	case abi.ProbeEOF:
		return "Answer what was read before the end of input, then exit with status 0."
	}
	return ""
}
