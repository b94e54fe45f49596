package picture

import (
	"encoding/binary"
	"fmt"

	"perch/engine/quote"
)

// Markers of JPEG (ITU T.81, table B.1).
const (
	jpegSOI  = 0xd8
	jpegEOI  = 0xd9
	jpegSOS  = 0xda
	jpegDHT  = 0xc4
	jpegJPG  = 0xc8
	jpegDAC  = 0xcc
	jpegTEM  = 0x01
	jpegRST0 = 0xd0
	jpegRST7 = 0xd7
)

// maxScans is how many scans a JPEG may have for us to decode it: each of them
// goes through the whole picture, and needs few bytes to do so.
const maxScans = 64

func walkJPEG(b []byte) (Info, *Fault) {
	info := Info{Kind: JPEG, Frames: 1}
	scans := 0
	for at := 2; ; {
		if at+2 > len(b) {
			return info, cut(len(b), "it ends before its end mark, FF D9")
		}
		if b[at] != 0xff {
			return info, &Fault{at, fmt.Sprintf("has %02X where a marker begins", b[at]), "Begin each segment with FF and its marker."}
		}
		marker := b[at+1]
		switch {
		case marker == 0xff: // a fill byte
			at++
			continue
		case marker == jpegEOI:
			if scans == 0 {
				return info, &Fault{at, "ends without a scan: no pixels", "Write all of it."}
			}
			return info, nil
		case marker >= jpegRST0 && marker <= jpegRST7:
			at += 2
			continue
		case marker == 0 || marker == jpegSOI:
			return info, &Fault{at, fmt.Sprintf("has FF %02X where a marker begins", marker), "Begin each segment with FF and its marker."}
		case marker == jpegTEM:
			info.Odd = "a JPEG with the marker FF 01"
			return info, nil
		}
		body, f := jpegSegment(b, at)
		if f != nil {
			return info, f
		}
		next := at + 4 + len(body)
		switch {
		case marker == jpegSOS:
			if info.W == 0 {
				return info, &Fault{at, "has a scan before its size (SOF)", "Write the frame's header before the first scan."}
			}
			if scans++; scans > maxScans {
				info.Odd = fmt.Sprintf("a JPEG of over %d scans", maxScans)
			}
			next = jpegScanEnd(b, next)
		case marker >= 0xc0 && marker <= 0xcf && marker != jpegDHT && marker != jpegJPG && marker != jpegDAC:
			if f := jpegFrame(&info, marker, body, at); f != nil {
				return info, f
			}
		}
		at = next
	}
}

// jpegSegment is what stands behind a segment's marker and length.
func jpegSegment(b []byte, at int) ([]byte, *Fault) {
	if at+4 > len(b) {
		return nil, cut(len(b), "it ends within a segment")
	}
	n := int(binary.BigEndian.Uint16(b[at+2:]))
	if n < 2 {
		return nil, &Fault{at, fmt.Sprintf("has a segment FF %02X of length %d", b[at+1], n), "A segment's length counts its own two bytes."}
	}
	if at+2+n > len(b) {
		return nil, cut(at, fmt.Sprintf("its segment FF %02X says %s and has %s", b[at+1], quote.Plural(n, "byte"), quote.Count(len(b)-at-2)))
	}
	return b[at+4 : at+2+n], nil
}

// jpegScanEnd is where the next marker stands behind a scan's data.
func jpegScanEnd(b []byte, at int) int {
	for at+1 < len(b) {
		if b[at] == 0xff && b[at+1] != 0 && b[at+1] != 0xff && (b[at+1] < jpegRST0 || b[at+1] > jpegRST7) {
			return at
		}
		at++
	}
	return len(b)
}

// jpegFrame reads a frame's header: SOF0 to SOF15.
func jpegFrame(info *Info, marker byte, b []byte, at int) *Fault {
	if len(b) < 6 || len(b) < 6+3*int(b[5]) {
		return &Fault{at, "has a frame header that is too short", "Write all of it."}
	}
	w, h, parts := int(binary.BigEndian.Uint16(b[3:])), int(binary.BigEndian.Uint16(b[1:])), int(b[5])
	if w == 0 || h == 0 || parts == 0 {
		return &Fault{at + 5, fmt.Sprintf("says it is %d×%d pixels of %s", w, h, quote.Plural(parts, "component")), "Write height and width into the frame's header, high byte first."}
	}
	info.W, info.H = w, h
	// A sample a component, subsampled or not, and of a progressive picture the
	// coefficients beside it, four bytes each.
	bytes := int64(parts)
	if marker == 0xc2 {
		bytes *= 5
	}
	info.Memory = info.Pixels() * bytes
	if marker > 0xc2 || b[0] != 8 {
		info.Odd = fmt.Sprintf("a kind of JPEG that is rare (FF %02X, %d bits)", marker, b[0])
	}
	return nil
}
