package bench_test

import (
	"fmt"
	"os"
	"testing"

	"perch/engine/event"
	"perch/inspect/bench"
)

func TestDbg(t *testing.T) {
	b, err := bench.Open(t.Context(), os.Getenv("DBG_PKG"), bench.Options{Clock: quick()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	u, _ := b.Upload(t.Context())
	fmt.Println(u.Outcome)
	c, err := b.Call(t.Context(), os.Getenv("DBG_TOOL"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	c.Run.Range(0, func(e event.Event) bool {
		fmt.Printf("%d %v tick %d %T %+v\n", e.Seq, e.Time, e.Tick, e.Body, e.Body)
		return true
	})
}
