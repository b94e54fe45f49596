package wire

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"perch/engine/event"
	"perch/engine/jsonread"
)

// element is the place of an element of the list that stands at list: of a
// thousand of them the way to the list is walked once.
func element(list event.Where, a *Answer, i int, v jsonread.Value) event.Where {
	list.Offset, list.End = a.Offset+int64(v.Start()), a.Offset+int64(v.End())
	list.Pointer += "/" + strconv.Itoa(i)
	return list
}

// Place is the place of a value in the block; of one that is absent it is the
// block's.
func (b Block) Place(v jsonread.Value) event.Where {
	w := b.Where
	if v.IsZero() {
		return w
	}
	start := w.Offset - int64(b.Value.Start())
	w.Offset, w.End = start+int64(v.Start()), start+int64(v.End())
	w.Pointer += v.PointerFrom(b.Value)
	return w
}

// PlaceText is the place of a part of a string's decoded text, bytes from..to
// of it. Escapes before it and in it are counted as they stand.
func (b Block) PlaceText(v jsonread.Value, from, to int) event.Where {
	w := b.Place(v)
	if v.Kind() == jsonread.String {
		start, end := rawText(v.Raw(), from, to)
		w.Offset, w.End = w.Offset+int64(start), w.Offset+int64(end)
	}
	return w
}

// rawText is where bytes from..to of a string's decoded text stand in its raw
// text.
func rawText(raw []byte, from, to int) (start, end int) {
	start, end = -1, len(raw)-1
	i, n := 1, 0 // behind the first quote; decoded bytes so far
	for i < len(raw)-1 {
		if start < 0 && n >= from {
			start = i
		}
		if start >= 0 && n >= to {
			end = i
			break
		}
		if raw[i] != '\\' {
			i, n = i+1, n+1
			continue
		}
		length, bytes := escape(raw[i : len(raw)-1])
		i, n = i+length, n+bytes
	}
	if start < 0 {
		start = len(raw) - 1
	}
	return start, max(start, end)
}

// escape is the length of the escape that raw begins with, and of the text that
// it stands for, in bytes. The JSON was checked before.
func escape(raw []byte) (length, bytes int) {
	if raw[1] != 'u' {
		return 2, 1
	}
	unit := func(b []byte) rune {
		n, _ := strconv.ParseUint(string(b[2:6]), 16, 16)
		return rune(n)
	}
	r := unit(raw)
	if utf16.IsSurrogate(r) && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' && utf16.DecodeRune(r, unit(raw[6:])) != utf8.RuneError {
		return 12, utf8.UTFMax
	}
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError // as the reader has it
	}
	return 6, utf8.RuneLen(r)
}
