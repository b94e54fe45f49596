package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"perch/inspect/schema"
)

func TestCacheKeepsWhatWasUsedLast(t *testing.T) {
	var c schema.Cache
	text := func(i int) string { return fmt.Sprintf(`{"title":"%d"}`, i) }
	first := c.Compile(parse(t, text(0)))
	if c.Compile(parse(t, text(0))) != first {
		t.Error("the same text was read twice")
	}
	for i := range 1_000 {
		c.Compile(parse(t, text(i+1)))
		if i%100 == 0 && c.Compile(parse(t, text(0))) != first {
			t.Fatalf("forgotten after %d others, and it is used again and again", i)
		}
	}
	old := c.Compile(parse(t, text(1_000)))
	for i := range 600 {
		c.Compile(parse(t, text(i+5_000)))
	}
	if c.Compile(parse(t, text(1_000))) == old {
		t.Error("600 others were used since, and it is still kept")
	}
	long := `{"title":"` + strings.Repeat("x", 200_000)
	big := c.Compile(parse(t, long+`"}`))
	for i := range 60 {
		c.Compile(parse(t, fmt.Sprintf(`%s%d"}`, long, i)))
	}
	if c.Compile(parse(t, long+`"}`)) == big {
		t.Error("12 MB of others were used since, and it is still kept")
	}
}

func TestNoCacheAndSeveralGoroutines(t *testing.T) {
	var none *schema.Cache
	v := parse(t, `{"type":"integer","pattern":"^a$"}`)
	if s := none.Compile(v); s == nil || len(s.Validate(parse(t, `"a"`)).Faults) != 1 {
		t.Error("without a cache nothing is read")
	}
	var c schema.Cache
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				s := c.Compile(parse(t, fmt.Sprintf(`{"maximum":%d,"allOf":[{"$ref":"#/$defs/p"}],"$defs":{"p":{"type":"integer"}}}`, (i+j)%20)))
				if r := s.Validate(parse(t, "20")); len(r.Faults) != 1 {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	wg.Wait()
}
