package stream

import (
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/event"
	"perch/engine/wasi"
	"perch/inspect/record"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// NewFiles is the pane of what a run did to files, below its mounts.
func NewFiles(o Options) Pane {
	c := &files{shared: &shared{Options: o.ready()}}
	c.panel = newPanel(c.shared, c, 7, "Files", "Files")
	return c.panel
}

// files is the tree of a run's mounts with the files that it touched.
type files struct {
	*shared
	panel   *panel
	taken   int
	mounts  []*mountState
	byPath  map[string]*fileState
	tried   []attempt
	missed  int // attempts, files or effects past our limits
	written int64
	rows    []fileRow
	stale   bool              // rows must be made anew
	called  map[uint64]Moment // of the events of findings
}

// mountState is a preopen, or a place where one could be.
type mountState struct {
	event.Mount
	mounted bool
	folded  bool
	files   []*fileState
}

// fileState is a file as the run left it so far.
type fileState struct {
	path    string
	mount   *mountState
	folder  bool
	created bool
	changed bool
	removed bool
	read    bool
	note    string // renamed from, link to
	size    int64
	known   bool // the size is
	fd      uint32
	http    int
	writes  int
	reads   int
	effects []uint64 // its events, the first of them
	more    int      // of its events that are not kept apart
	first   uint64
	last    uint64
}

// attempt is something that was refused.
type attempt struct {
	seq   uint64
	path  string
	errno wasi.Errno
	note  string
	count int
}

// fileRow is a row of the tree: one of the three.
type fileRow struct {
	mount *mountState
	file  *fileState
	tried *attempt
}

// Bounds of what is kept, and of the work of one frame.
const (
	maxFiles     = 20_000
	maxEffects   = 1_000 // of one file
	maxAttempts  = 200
	frameEffects = 500
	frameData    = 4 << 20 // bytes of written data that are decoded
)

// still implements still: a tree has no end.
func (c *files) still() {}

func (c *files) reset(run *record.Run) {
	*c = files{shared: c.shared, panel: c.panel, byPath: map[string]*fileState{}}
}

// begun makes the mounts, once the run says which it has.
func (c *files) begun() bool {
	if c.mounts != nil || len(c.run.Of(record.KindBegin)) == 0 {
		return false
	}
	for _, m := range c.begin().Mounts {
		c.mounts = append(c.mounts, &mountState{Mount: m, mounted: true, folded: m.ReadOnly})
	}
	if c.begin().Kind == event.Call {
		for _, name := range []string{abi.VolumeTmp, abi.VolumeData, abi.PackageDir, abi.SkillsDir} {
			if !slices.ContainsFunc(c.mounts, func(m *mountState) bool { return m.Guest == name }) {
				c.mounts = append(c.mounts, &mountState{Mount: event.Mount{Guest: name}})
			}
		}
	}
	if c.mounts == nil {
		c.mounts = []*mountState{}
	}
	c.stale = true
	return true
}

func (c *files) sync() (changed, pending bool) {
	changed = c.begun()
	seqs := c.run.Of(record.KindFile)[c.taken:]
	data := 0
	for i, seq := range seqs {
		if i == frameEffects || data > frameData {
			pending = true
			break
		}
		c.taken++
		changed = true
		e, ok := c.run.Event(uint64(seq))
		f, is := e.Body.(event.FileEffect)
		if ok && is {
			data += len(f.Data)
			c.latest = e.Time
			c.effect(e.Seq, f)
		}
	}
	if c.stale {
		c.rebuild()
	}
	return changed, pending
}

func (c *files) effect(seq uint64, f event.FileEffect) {
	c.written = max(c.written, f.Written)
	if f.Op == event.FileRefused {
		c.refused(seq, f)
		return
	}
	s := c.file(f.Path, seq)
	if s == nil {
		return
	}
	s.count(seq)
	if f.FD != 0 {
		s.fd = f.FD
	}
	if f.HTTP != 0 {
		s.http = f.HTTP
	}
	switch f.Op {
	case event.FileRename:
		c.renamed(seq, s, f.NewPath)
	case event.FileLink:
		if to := c.file(f.NewPath, seq); to != nil {
			to.created, to.size, to.known, to.note = true, s.size, s.known, "link to "+f.Path
			to.count(seq)
		}
	default:
		s.apply(f)
	}
}

// apply does what an effect does to its file.
func (s *fileState) apply(f event.FileEffect) {
	switch f.Op {
	case event.FileOpen:
		if f.Bytes > 0 {
			s.size, s.known = f.Bytes, true
		}
	case event.FileCreate:
		s.created, s.size, s.known = !s.existed(), 0, true
		s.changed, s.removed = s.changed || !s.created, false
	case event.FileMkdir:
		s.created, s.removed, s.folder = true, false, true
	case event.FileRead:
		s.read = true
		s.reads++
	case event.FileWrite:
		s.changed = true
		s.writes++
		s.size = max(s.size, f.Offset+f.Bytes)
	case event.FileTruncate:
		s.changed, s.size, s.known = true, f.Bytes, true
	case event.FileRemove, event.FileRmdir:
		s.removed, s.folder = true, f.Op == event.FileRmdir
	case event.FileSymlink:
		s.created, s.note = true, "symlink to "+f.NewPath
	case event.FileTimes:
		s.changed = true
	}
}

// existed reports whether the file was there before the run and was removed
// or changed by it.
func (s *fileState) existed() bool { return !s.created && (s.changed || s.removed || s.read) }

func (s *fileState) count(seq uint64) {
	if len(s.effects) == 0 {
		s.first = seq
	}
	s.last = seq
	if len(s.effects) < maxEffects {
		s.effects = append(s.effects, seq)
	} else {
		s.more++
	}
}

func (c *files) renamed(seq uint64, from *fileState, name string) {
	to := c.file(name, seq)
	if to == nil || to == from {
		return
	}
	to.changed = to.changed || to.existed()
	to.created = !to.changed
	to.removed, to.folder = false, from.folder
	to.size, to.known, to.fd, to.note = from.size, from.known, from.fd, "was "+from.path
	to.count(seq)
	from.removed = true
}

// file is the state of a file; nil past our limit.
func (c *files) file(path string, _ uint64) *fileState {
	if s := c.byPath[path]; s != nil {
		return s
	}
	if len(c.byPath) >= maxFiles {
		c.missed++
		return nil
	}
	s := &fileState{path: path, mount: c.mountOf(path)}
	c.byPath[path] = s
	if s.mount != nil {
		s.mount.files = append(s.mount.files, s)
	}
	c.stale = true
	return s
}

// mountOf is the mount that a path is below, the longest first.
func (c *files) mountOf(path string) *mountState {
	var best *mountState
	for _, m := range c.mounts {
		if path != m.Guest && !strings.HasPrefix(path, strings.TrimSuffix(m.Guest, "/")+"/") {
			continue
		}
		if best == nil || len(m.Guest) > len(best.Guest) {
			best = m
		}
	}
	if best == nil {
		best = &mountState{Mount: event.Mount{Guest: "/"}}
		c.mounts = append(c.mounts, best)
	}
	return best
}

func (c *files) refused(seq uint64, f event.FileEffect) {
	errno := wasi.Errno(f.Errno)
	for i := range c.tried {
		if t := &c.tried[i]; t.path == f.Path && t.errno == errno {
			t.count++
			return
		}
	}
	if len(c.tried) >= maxAttempts {
		c.missed++
		return
	}
	c.tried = append(c.tried, attempt{seq, f.Path, errno, f.Note, 1})
	c.stale = true
}

// rebuild makes the rows anew; the selected one stays.
func (c *files) rebuild() {
	c.stale = false
	var was fileRow
	if row, ok := c.panel.rows.Selected(); ok && row < len(c.rows) {
		was = c.rows[row]
	}
	c.rows = c.rows[:0]
	for _, m := range c.mounts {
		c.rows = append(c.rows, fileRow{mount: m})
		if m.folded {
			continue
		}
		slices.SortFunc(m.files, func(a, b *fileState) int { return strings.Compare(a.path, b.path) })
		for _, s := range m.files {
			c.rows = append(c.rows, fileRow{file: s})
		}
	}
	for i := range c.tried {
		c.rows = append(c.rows, fileRow{tried: &c.tried[i]})
	}
	c.panel.renumbered()
	for i, r := range c.rows {
		if same(r, was) {
			if at, ok := c.panel.rows.Selected(); !ok || at != i {
				c.panel.rows.Select(i)
			}
			return
		}
	}
}

func same(a, b fileRow) bool {
	if a.tried != nil && b.tried != nil {
		return a.tried.seq == b.tried.seq
	}
	return a.mount == b.mount && a.file == b.file && a.tried == nil && b.tried == nil
}

func (c *files) Len() int { return len(c.rows) }

// facts count the files that are not as they were.
func (c *files) facts() (string, themes.Role) {
	n := 0
	for _, s := range c.byPath {
		if s.sign() != " " {
			n++
		}
	}
	return words.Count(n), themes.None
}

// sign is the mark of what became of a file: + ~ - or a blank.
func (s *fileState) sign() string {
	switch {
	case s.removed:
		return "-"
	case s.created:
		return "+"
	case s.changed:
		return "~"
	}
	return " "
}

func (s *fileState) role() themes.Role {
	switch s.sign() {
	case "+":
		return themes.DiffAdd
	case "-":
		return themes.DiffDel
	case "~":
		return themes.Changed
	}
	return themes.Muted
}

// became is what became of a file, in a word.
func (s *fileState) became() string {
	switch {
	case s.removed && s.created:
		return "gone again"
	case s.removed:
		return "removed"
	case s.note != "":
		return s.note
	case s.created:
		return "new"
	case s.changed:
		return "changed"
	case s.read:
		return "read"
	}
	return "opened"
}

func (c *files) moment(row int) (Moment, bool) {
	switch r := c.rows[row]; {
	case r.file != nil && len(r.file.effects) > 0:
		return momentOf(c.run, r.file.last)
	case r.tried != nil:
		return momentOf(c.run, r.tried.seq)
	}
	return Moment{}, false
}

// rowsOf is the span of the rows that a moment touched.
func (c *files) rowsOf(m Moment) (from, to int) {
	from = len(c.rows)
	for i, r := range c.rows {
		if c.touched(r, m) {
			from, to = min(from, i), i+1
		}
	}
	return from, to
}

// holds reports whether a row belongs to a moment.
func (c *files) holds(row int, m Moment) bool {
	return row < len(c.rows) && c.touched(c.rows[row], m)
}

func (c *files) touched(r fileRow, m Moment) bool {
	switch {
	case r.tried != nil:
		return m.holds(r.tried.seq)
	case r.file == nil || len(r.file.effects) == 0 || r.file.first > m.To || r.file.last < m.From:
		return false
	}
	i, _ := slices.BinarySearch(r.file.effects, m.From)
	return i < len(r.file.effects) && r.file.effects[i] <= m.To
}

func (c *files) budget() int { return 5_000 }

func (c *files) text(row int) []byte { return []byte(c.rows[row].name()) }

// nameOf implements namer.
func (c *files) nameOf(row int) string { return c.rows[row].name() }

func (r fileRow) name() string {
	switch {
	case r.mount != nil:
		return r.mount.Guest
	case r.file != nil:
		return r.file.path
	}
	return r.tried.path
}

func (c *files) stamp(row int) uint64 {
	if row >= len(c.rows) {
		return 0
	}
	found := c.book.stamp << 20
	switch r := c.rows[row]; {
	case r.file != nil:
		n := r.file.last + uint64(len(c.rows))<<40
		if !c.live() {
			n ^= 1 << 63 // the file can be read for good
		}
		return n ^ found
	case r.tried != nil:
		return r.tried.seq ^ found
	}
	return uint64(c.taken) ^ c.heldSeen()<<32
}

func (c *files) notes(int) []cell.Line { return nil }

// losses are the write budget and what is past our limits.
func (c *files) losses() []cell.Line {
	limit := int64(c.begin().Budget)
	if limit == 0 || c.begin().Kind != event.Call {
		return nil
	}
	var l cell.Line
	role := themes.Muted
	text := "written " + words.Size(c.written) + " of " + words.Limit(limit)
	l.Blank(1)
	if c.written*5 >= limit*4 {
		role = themes.Warning
		const cells = 20
		full := int(min(c.written, limit) * cells / limit)
		l.Own(cell.Fg(role), strings.Repeat("█", full)+strings.Repeat("░", cells-full)).Blank(2)
	}
	out := []cell.Line{*l.Own(cell.Fg(role), text)}
	if c.missed > 0 {
		var m cell.Line
		m.Blank(1).Own(cell.Fg(themes.Warning), words.Count(c.missed)+" effects more are in Events alone")
		out = append(out, m)
	}
	return out
}

func (c *files) do(id string, row int) bool {
	if row < 0 || row >= len(c.rows) || c.rows[row].mount == nil {
		return false
	}
	m := c.rows[row].mount
	switch id {
	case "nav.toggle", "nav.in":
		m.folded = !m.folded
	case "nav.left":
		if m.folded {
			return false
		}
		m.folded = true
	case "nav.right":
		if !m.folded {
			return false
		}
		m.folded = false
	default:
		return false
	}
	c.rebuild()
	return true
}

func (c *files) copyRow(row int) (string, []byte, bool) {
	name := c.rows[row].name()
	return safeText([]byte(name)), []byte(name), true
}

func (c *files) empty() string {
	return "No files yet. What a module does below /volume, /package and /skills stands here; sample:notebook writes some."
}
