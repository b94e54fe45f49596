package hexview_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"perch/inspect/hexview"
)

func show(v *hexview.View) string {
	var b strings.Builder
	for i := range v.Len() {
		r := v.Row(i)
		offset := r.Offset
		if r.Marks {
			offset = strings.Repeat(" ", len(offset))
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s  %-*s   %s", offset, v.Bytes()*3-1, r.Hex(), r.Text()), " ") + "\n")
	}
	return b.String()
}

func TestRows(t *testing.T) {
	v := hexview.New(bytes.NewReader([]byte("rendering bar\n")), 89)
	v.Mark([]hexview.Range{{From: 0, To: 13}})
	want := `00059  72 65 6e 64 65 72 69 6e   renderin
       ^^ ^^ ^^ ^^ ^^ ^^ ^^ ^^
00061  67 20 62 61 72 0a         g bar␊
       ^^ ^^ ^^ ^^ ^^
`
	if got := show(v); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := v.Head(); got != " 0  1  2  3  4  5  6  7" {
		t.Errorf("the columns are %q", got)
	}
	for offset, line := range map[int64]int{0: 0, 7: 0, 8: 2, 13: 2, 99: 2} {
		if got := v.LineAt(offset); got != line {
			t.Errorf("byte %d is on line %d, want %d", offset, got, line)
		}
	}
}

func TestOddBytes(t *testing.T) {
	v := hexview.New(bytes.NewReader([]byte("\x00\x1b\t\r\xff~\x7f é")), 0)
	if got, want := v.Row(0).Text(), "·␛␉␍·~· "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := v.Row(1).Hex(), "c3 a9"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWidths(t *testing.T) {
	for w, per := range map[int]int{0: 8, 75: 8, 76: 16, 139: 16, 140: 32, 500: 32} {
		v := hexview.New(bytes.NewReader(make([]byte, 100)), 0)
		v.SetWidth(w)
		if v.Bytes() != per || hexview.PerRow(w) != per {
			t.Errorf("%d cells: %d bytes a row, want %d", w, v.Bytes(), per)
		}
		if w >= 76 && v.Cells() > w {
			t.Errorf("%d bytes take %d cells of %d", per, v.Cells(), w)
		}
	}
	far := hexview.New(bytes.NewReader(make([]byte, 100)), 1<<40)
	far.SetWidth(76)
	if far.Bytes() != 8 {
		t.Errorf("with long offsets %d bytes stand in a row of 76 cells", far.Bytes())
	}
}

func TestMarks(t *testing.T) {
	v := hexview.New(bytes.NewReader(make([]byte, 64)), 0)
	v.Mark([]hexview.Range{{From: 40, To: 41}, {From: 6, To: 10}, {From: 9, To: 12}, {From: 50, To: 999}, {From: 3, To: 3}, {From: 80, To: 90}})
	var rows, marks []int64
	for i := range v.Len() {
		r := v.Row(i)
		if r.Marks {
			marks = append(marks, r.Start)
		} else {
			rows = append(rows, r.Start)
		}
		if got := v.LineAt(r.Start); !r.Marks && got != i {
			t.Errorf("byte %d is on line %d, want %d", r.Start, got, i)
		}
	}
	if fmt.Sprint(rows) != "[0 8 16 24 32 40 48 56]" || fmt.Sprint(marks) != "[0 8 40 48 56]" {
		t.Errorf("rows %v, marks %v", rows, marks)
	}
	v.Mark(nil)
	if v.Len() != 8 {
		t.Errorf("%d rows without marks", v.Len())
	}
}

func TestNothing(t *testing.T) {
	v := hexview.New(bytes.NewReader(nil), 0)
	v.Mark([]hexview.Range{{To: 4}})
	if v.Len() != 0 || v.LineAt(3) != 0 {
		t.Error("no bytes have rows")
	}
}

// cut is a source that is shorter than it says.
type cut struct{ *bytes.Reader }

func (cut) Size() int64 { return 100 }

func TestShortSource(t *testing.T) {
	v := hexview.New(cut{bytes.NewReader([]byte("0123456789"))}, 0)
	if r := v.Row(1); !errors.Is(r.Err, io.EOF) || r.Text() != "89" {
		t.Errorf("got %q, %v", r.Text(), r.Err)
	}
	if r := v.Row(0); r.Err != nil {
		t.Error(r.Err)
	}
}

// huge is a source that nobody could read whole.
type huge struct{ reads int }

func (h *huge) Size() int64 { return 1 << 40 }

func (h *huge) ReadAt(p []byte, off int64) (int, error) {
	h.reads += len(p)
	clear(p)
	return len(p), nil
}

func TestReadsWhatIsInSight(t *testing.T) {
	src := &huge{}
	v := hexview.New(src, 0)
	v.Mark([]hexview.Range{{From: 1 << 20, To: 1 << 39}})
	line := v.LineAt(1 << 38)
	if r := v.Row(line); r.Start != 1<<38 || r.Marks {
		t.Errorf("line %d is at byte %d", line, r.Start)
	}
	if r := v.Row(line + 1); r.Start != 1<<38 || !r.Marks {
		t.Errorf("the line below it is at byte %d", r.Start)
	}
	if src.reads > 16 {
		t.Errorf("%d bytes read for two rows", src.reads)
	}
}

// TestManyMarks holds the rows against marks that were counted one by one.
func TestManyMarks(t *testing.T) {
	data := bytes.Repeat([]byte("abcdefgh"), 60)
	var ranges []hexview.Range
	marked := map[int64]bool{}
	for i := int64(0); i < 480; i += 7 + i%31 {
		ranges = append(ranges, hexview.Range{From: i, To: i + 1 + i%9})
		for k := i; k < min(i+1+i%9, 480); k++ {
			marked[k] = true
		}
	}
	v := hexview.New(bytes.NewReader(data), 0)
	v.Mark(ranges)
	for _, w := range []int{40, 80, 140} {
		v.SetWidth(w)
		line := 0
		for start := int64(0); start < 480; start += int64(v.Bytes()) {
			if r := v.Row(line); r.Start != start || r.Marks || v.LineAt(start) != line {
				t.Fatalf("%d cells, line %d: begins at %d, marks %v; byte %d is on line %d", w, line, r.Start, r.Marks, start, v.LineAt(start))
			}
			line++
			some := false
			for k := start; k < start+int64(v.Bytes()); k++ {
				some = some || marked[k]
			}
			if some {
				if r := v.Row(line); r.Start != start || !r.Marks {
					t.Fatalf("%d cells, line %d: begins at %d, marks %v", w, line, r.Start, r.Marks)
				}
				line++
			}
		}
		if v.Len() != line {
			t.Errorf("%d cells: %d lines, want %d", w, v.Len(), line)
		}
	}
}

func BenchmarkMegabyte(b *testing.B) {
	data := bytes.Repeat([]byte("abcdefgh"), 1<<17)
	var ranges []hexview.Range
	for i := range int64(10_000) {
		ranges = append(ranges, hexview.Range{From: i * 100, To: i*100 + 3})
	}
	for b.Loop() {
		v := hexview.New(bytes.NewReader(data), 0)
		v.SetWidth(80)
		v.Mark(ranges)
		middle := v.Len() / 2
		for i := range 40 {
			_ = v.Row(middle + i).Hex()
		}
	}
}
