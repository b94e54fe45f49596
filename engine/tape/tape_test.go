package tape

import (
	"bytes"
	"errors"
	"testing"
)

func TestATapeGivesBackWhatWasPutOnIt(t *testing.T) {
	for _, size := range []int{0, 5, memoryLimit / 3} {
		tp := New()
		defer tp.Close()
		data := bytes.Repeat([]byte{7}, size)
		for i := range 5 {
			tp.Wrote(uint32(i), data)
			tp.Wrote(9, []byte("x"))
			tp.Call(uint32(i), uint64(i)<<40)
		}
		r, err := tp.Reader()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			c, err := r.Next()
			if err != nil {
				t.Fatalf("size %d, call %d: %v", size, i, err)
			}
			if c.Func != uint32(i) || c.Result != uint64(i)<<40 || len(c.Writes) != 2 ||
				!bytes.Equal(c.Writes[0].Bytes, data) || c.Writes[1].Ptr != 9 {
				t.Fatalf("size %d, call %d came back changed", size, i)
			}
		}
		if _, err := r.Next(); !errors.Is(err, ErrEnd) {
			t.Fatalf("after the last call: %v, want ErrEnd", err)
		}
	}
}

// TestATapeIsCutAtAHugeCall: what was put on it before stays.
func TestATapeIsCutAtAHugeCall(t *testing.T) {
	huge := New()
	defer huge.Close()
	huge.Wrote(8, []byte("kept"))
	huge.Call(1, 0)
	part := make([]byte, 40<<20)
	huge.Wrote(0, part)
	huge.Wrote(0, part)
	huge.Call(2, 0)
	huge.Call(3, 0)
	if huge.Cut() == nil || huge.Calls() != 1 {
		t.Errorf("%d calls, cut: %v", huge.Calls(), huge.Cut())
	}
	r, err := huge.Reader()
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Next()
	if err != nil || c.Func != 1 || string(c.Writes[0].Bytes) != "kept" {
		t.Errorf("the call on it is %+v, %v", c, err)
	}
	if _, err := r.Next(); !errors.Is(err, ErrEnd) {
		t.Errorf("behind it is %v", err)
	}
}
