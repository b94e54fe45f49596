package symbols

import (
	"debug/dwarf"
	"sort"

	"perch/engine/event"
)

// lines is the DWARF of a module (versions 2 to 5). Addresses in it are offsets
// from the start of the code section's contents. Units are read when something
// in them is asked for.
type lines struct {
	data   *dwarf.Data
	guard  lineGuard
	code   uint64 // size of the code section
	units  []unit
	ranges []unitRange // sorted by from
	budget int64       // work that may still be done
}

// unit is a compilation unit.
type unit struct {
	entry  *dwarf.Entry
	loaded bool
	rows   []sequence // sorted by from
	files  []*dwarf.LineFile
	funcs  []funcNode // in the order of their entries
}

type unitRange struct {
	from, to uint64
	unit     int
}

// sequence is a run of rows whose addresses ascend.
type sequence struct {
	from, to uint64
	rows     []row
}

type row struct {
	addr uint64
	file *dwarf.LineFile
	line int
}

// funcNode is a function, or a call that was inlined.
type funcNode struct {
	entry              dwarf.Offset
	ranges             [][2]uint64
	parent             int // index of the node that holds it, -1: none
	depth              int
	callFile, callLine int // of an inlined call
}

// maxWork bounds the work on the DWARF of one module, in bytes read or copied;
// an entry counts entryWork and its strings. It is some seconds at most.
const (
	maxWork   = 1 << 29
	entryWork = 128
)

// openLines reads the list of units; nil when there is no DWARF that we read.
func openLines(l *layout) (ls *lines) {
	sections := l.debugSections()
	info, abbrev := sections[".debug_info"], sections[".debug_abbrev"]
	if len(info) == 0 || !sanePreamble(info, abbrev) {
		return nil
	}
	defer func() {
		if recover() != nil { // debug/dwarf is not made for hostile bytes
			ls = nil
		}
	}()
	data, err := dwarf.New(abbrev, nil, nil, info, sections[".debug_line"], nil, sections[".debug_ranges"], sections[".debug_str"])
	if err != nil {
		return nil
	}
	for _, name := range []string{".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists"} {
		if b := sections[name]; len(b) > 0 {
			if data.AddSection(name, b) != nil {
				return nil
			}
		}
	}
	ls = &lines{data: data, guard: newLineGuard(sections), code: uint64(l.code.Len()), budget: maxWork}
	ls.readUnits()
	return ls
}

func (ls *lines) spend(n int) bool {
	ls.budget -= int64(n)
	return ls.budget > 0
}

// charge counts the work of reading an entry.
func (ls *lines) charge(e *dwarf.Entry) bool {
	work := entryWork
	for _, f := range e.Field {
		switch v := f.Val.(type) {
		case string:
			work += len(v)
		case []byte:
			work += 1 // a view
		}
	}
	return ls.spend(work)
}

func (ls *lines) readUnits() {
	r := ls.data.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil || !ls.charge(e) {
			break
		}
		r.SkipChildren()
		if e.Tag != dwarf.TagCompileUnit {
			continue
		}
		n := len(ls.units)
		ls.units = append(ls.units, unit{entry: e})
		for _, rng := range ls.rangesOf(e) {
			ls.ranges = append(ls.ranges, unitRange{rng[0], rng[1], n})
		}
	}
	sort.SliceStable(ls.ranges, func(i, j int) bool { return ls.ranges[i].from < ls.ranges[j].from })
}

// rangesOf are an entry's address ranges, without those of code that the linker
// threw away, which it puts at 0 or past the code.
func (ls *lines) rangesOf(e *dwarf.Entry) [][2]uint64 {
	all, err := ls.data.Ranges(e)
	if err != nil || !ls.spend(16*len(all)) {
		return nil
	}
	kept := all[:0]
	for _, r := range all {
		if r[0] != 0 && r[0] < r[1] && r[1] <= ls.code {
			kept = append(kept, r)
		}
	}
	return kept
}

// at returns the frames at an address, the innermost first, without their
// function index and offset. The last one's name may be empty.
func (ls *lines) at(addr uint64) (frames []event.Frame) {
	defer func() {
		if recover() != nil {
			frames = nil
		}
	}()
	const maxOverlap = 64 // units that begin before addr and are looked at
	last := sort.Search(len(ls.ranges), func(i int) bool { return ls.ranges[i].from > addr })
	for i := last - 1; i >= 0 && i >= last-maxOverlap; i-- {
		if r := ls.ranges[i]; addr < r.to {
			u := &ls.units[r.unit]
			ls.load(u)
			if frames := ls.unfold(u, addr); len(frames) > 0 {
				return frames
			}
		}
	}
	return nil
}

// load reads the rows and functions of a unit.
func (ls *lines) load(u *unit) {
	if u.loaded {
		return
	}
	u.loaded = true
	ls.loadRows(u)
	ls.loadFuncs(u)
}

func (ls *lines) loadRows(u *unit) {
	offset, ok := u.entry.Val(dwarf.AttrStmtList).(int64)
	dir, _ := u.entry.Val(dwarf.AttrCompDir).(string)
	if !ok || !ls.guard.sane(offset, len(dir)) {
		return
	}
	r, err := ls.data.LineReader(u.entry)
	if err != nil || r == nil {
		return
	}
	var seq sequence
	for {
		var e dwarf.LineEntry
		if err := r.Next(&e); err != nil || !ls.spend(entryWork) {
			break
		}
		if !e.EndSequence {
			seq.rows = append(seq.rows, row{e.Address, e.File, e.Line})
			continue
		}
		if len(seq.rows) > 0 {
			seq.from, seq.to = seq.rows[0].addr, e.Address
			if seq.from != 0 && seq.to <= ls.code {
				u.rows = append(u.rows, seq)
			}
		}
		seq = sequence{}
	}
	sort.SliceStable(u.rows, func(i, j int) bool { return u.rows[i].from < u.rows[j].from })
	u.files = r.Files()
}

func (ls *lines) loadFuncs(u *unit) {
	r := ls.data.Reader()
	r.Seek(u.entry.Offset)
	open := []int{} // for each open entry, the node that holds its children
	holder := -1
	for {
		e, err := r.Next()
		if err != nil || e == nil || !ls.charge(e) {
			return
		}
		if e.Tag == 0 { // end of children
			if len(open) == 0 {
				return
			}
			holder = open[len(open)-1]
			open = open[:len(open)-1]
			if len(open) == 0 {
				return
			}
			continue
		}
		inside := holder
		if e.Tag == dwarf.TagSubprogram || e.Tag == dwarf.TagInlinedSubroutine {
			inside = u.addFunc(e, holder, ls.rangesOf(e))
		}
		if e.Children {
			open = append(open, holder)
			holder = inside
		} else if len(open) == 0 {
			return
		}
	}
}

// addFunc adds a node and returns its index; what has no code has none, and its
// children belong to the one that holds it.
func (u *unit) addFunc(e *dwarf.Entry, parent int, ranges [][2]uint64) int {
	if len(ranges) == 0 {
		return parent
	}
	n := funcNode{entry: e.Offset, ranges: ranges, parent: -1}
	if e.Tag == dwarf.TagInlinedSubroutine {
		if parent < 0 {
			return parent
		}
		n.parent, n.depth = parent, u.funcs[parent].depth+1
		n.callFile, n.callLine = number(e, dwarf.AttrCallFile), number(e, dwarf.AttrCallLine)
	}
	u.funcs = append(u.funcs, n)
	return len(u.funcs) - 1
}

func number(e *dwarf.Entry, a dwarf.Attr) int {
	v, _ := e.Val(a).(int64)
	return int(v)
}

// unfold returns the frames at addr in a unit.
func (ls *lines) unfold(u *unit, addr uint64) []event.Frame {
	file, line := u.position(addr)
	node := u.innermost(addr)
	if node < 0 {
		if file == "" {
			return nil
		}
		return []event.Frame{{File: file, Line: line}}
	}
	var frames []event.Frame
	for node >= 0 && len(frames) < maxInline {
		n := u.funcs[node]
		frames = append(frames, event.Frame{Name: ls.name(n.entry), File: file, Line: line})
		file, line = u.fileName(n.callFile), n.callLine
		node = n.parent
	}
	return frames
}

// innermost is the deepest node that covers addr, -1: none does.
func (u *unit) innermost(addr uint64) int {
	best := -1
	for i, n := range u.funcs {
		if (best < 0 || n.depth > u.funcs[best].depth) && covers(n.ranges, addr) {
			best = i
		}
	}
	return best
}

func covers(ranges [][2]uint64, addr uint64) bool {
	for _, r := range ranges {
		if addr >= r[0] && addr < r[1] {
			return true
		}
	}
	return false
}

// position is the file and line of the row that covers addr. Code that a
// compiler moved together has line 0: the row before it that has one stands in.
func (u *unit) position(addr uint64) (string, int) {
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].from > addr }) - 1
	if i < 0 || addr >= u.rows[i].to {
		return "", 0
	}
	rows := u.rows[i].rows
	j := sort.Search(len(rows), func(j int) bool { return rows[j].addr > addr }) - 1
	const most = 16 // rows to go back, within a function as good as always
	for back := j; back >= max(0, j-most); back-- {
		if rows[back].line > 0 && rows[back].file != nil {
			return rows[back].file.Name, rows[back].line
		}
	}
	return "", 0
}

func (u *unit) fileName(i int) string {
	if i < 0 || i >= len(u.files) || u.files[i] == nil {
		return ""
	}
	return u.files[i].Name
}

// name of the function that an entry stands for: the linker's name demangled,
// which says where it belongs, or else the plain one.
func (ls *lines) name(offset dwarf.Offset) string {
	const maxHops = 8 // an inlined call, its abstract instance, its declaration
	plain := ""
	for range maxHops {
		r := ls.data.Reader()
		r.Seek(offset)
		e, err := r.Next()
		if err != nil || e == nil || !ls.charge(e) {
			break
		}
		if linked, ok := e.Val(dwarf.AttrLinkageName).(string); ok && linked != "" {
			return demangled(linked)
		}
		if name, ok := e.Val(dwarf.AttrName).(string); ok && plain == "" {
			plain = name
		}
		next, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			next, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		offset = next
	}
	return plain
}

// openedLines returns the module's DWARF, nil when there is none. The caller
// holds the lock.
func (t *Table) openedLines() *lines {
	if !t.dwarfOpen {
		t.dwarfOpen = true
		t.dwarf = openLines(t.layout())
	}
	return t.dwarf
}

func (t *Table) dwarfFrames(addr uint64) []event.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ls := t.openedLines(); ls != nil {
		return ls.at(addr)
	}
	return nil
}

// dwarfName is the name of the function whose body begins at addr.
func (t *Table) dwarfName(addr uint64) string {
	frames := t.dwarfFrames(addr)
	if len(frames) == 0 {
		return ""
	}
	return frames[len(frames)-1].Name
}
