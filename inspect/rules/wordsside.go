package rules

import "perch/engine/abi"

// sideOf is whose word a rule stands on. For the classes H and M that is the
// ABI page and MCP, but for what H holds by our strict reading alone. A should
// and what is only shown have it one by one: MCP has shoulds of its own, and
// the page says some of what we show.
func sideOf(r abi.Rule) Side {
	switch r.Class {
	case abi.ClassM:
		return MCPSays
	case abi.ClassH:
		switch r.ID {
		case abi.PackageArchive, abi.FrameUTF8, abi.FrameBlank, abi.FrameBOM:
			return OurReading
		}
		return SubakoSays
	}
	switch r.ID {
	case abi.ListStable, abi.CallStructuredText:
		return MCPSays
	case abi.FrameCompact, abi.RPCNotificationIgnored, abi.DiscoverUnused, abi.ListSandbox, abi.BlockLeftOut, abi.LifeStderrTail,
		abi.FilesAllocate, abi.FilesSocket, abi.FilesEscape, abi.FilesRelative, abi.HTTPHeaderDropped, abi.ProbeArguments, abi.ProbeEOF:
		return SubakoSays
	}
	return OurReading
}
