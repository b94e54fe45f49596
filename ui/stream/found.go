package stream

import (
	"slices"

	"perch/engine/abi"
	"perch/inspect/record"
	"perch/inspect/report"
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/words"
)

// NewFindings is the pane of what was found in a run, each finding below its
// cause.
func NewFindings(o Options) Pane {
	c := &found{shared: &shared{Options: o.ready()}, folded: map[string]bool{}}
	c.panel = newPanel(c.shared, c, 10, "Findings", "Found")
	return c.panel
}

// found is the findings of a run, and groups of others below them. The checks bound how many there are, so rows are made anew
// whenever something was found.
type found struct {
	*shared
	panel   *panel
	stampOf uint64 // the book's, when the rows were made
	kinds   foundKinds
	folded  map[string]bool // by key
	nodes   []findings.Node
	places  []string // of the nodes, in short
	place   int      // cells of the longest
	rule    int      // cells of the longest name of a rule
	count   map[abi.Severity]int
	stack   string // key of the finding whose whole stack is shown
}

// foundKinds is which findings are shown.
type foundKinds uint8

// The choices, in the order in which K goes through them.
const (
	allFound foundKinds = iota
	errorsFound
	warningsFound
	bySubako
	byMCP
	byUs
	foundKindsEnd
)

func (k foundKinds) String() string {
	return [...]string{"all", "errors", "errors and warnings", "Subako’s word", "MCP’s word", "our reading"}[k]
}

func (k foundKinds) has(f rules.Finding) bool {
	switch k {
	case errorsFound:
		return f.Severity == abi.Error
	case warningsFound:
		return f.Severity == abi.Error || f.Severity == abi.Warning
	case bySubako:
		return f.Side() == rules.SubakoSays
	case byMCP:
		return f.Departs()
	case byUs:
		return f.Side() == rules.OurReading
	}
	return true
}

func (c *found) reset(*record.Run) {
	*c = found{shared: c.shared, panel: c.panel, kinds: c.kinds, folded: c.folded}
}

func (c *found) still() {}

func (c *found) sync() (changed, pending bool) {
	if c.stampOf == c.book.stamp && c.nodes != nil {
		return false, false
	}
	c.stampOf = c.book.stamp
	c.remake()
	return true, false
}

// remake makes the rows, and keeps the selected one selected unless it is the
// first: that is the cause, whichever it is by now.
func (c *found) remake() {
	at, _ := c.panel.rows.Selected()
	key := ""
	if at > 0 && at < len(c.nodes) {
		key = c.nodes[at].Key
	}
	c.build()
	c.panel.renumbered()
	if i := slices.IndexFunc(c.nodes, func(n findings.Node) bool { return n.Key == key }); key != "" && i >= 0 {
		c.panel.rows.Select(i)
	}
}

func (c *found) build() {
	c.nodes = append(make([]findings.Node, 0, 8), findings.Tree(c.sifted(c.book.now.Own), c.folded)...)
	if len(c.nodes) == 0 && len(c.book.now.Beside) > 0 {
		c.nodes = append(c.nodes, findings.Node{Key: nothingKey})
	}
	for _, g := range c.book.now.Beside {
		all := c.sifted(g.All)
		if len(all) == 0 && (g.None == "" || len(g.All) > 0) {
			continue
		}
		key := groupKey + g.Title
		c.nodes = append(c.nodes, findings.Node{Cause: g.Title, Below: len(all), Key: key})
		if !c.folded[key] {
			for _, n := range findings.Tree(all, c.folded) {
				n.Depth++
				c.nodes = append(c.nodes, n)
			}
		}
	}
	c.places, c.place, c.rule = make([]string, len(c.nodes)), 0, 0
	for i, n := range c.nodes {
		if n.Finding != nil {
			c.places[i] = c.short(*n.Finding)
			c.place = max(c.place, len(c.places[i]))
			c.rule = max(c.rule, len(n.Finding.Rule))
		}
	}
	c.count = map[abi.Severity]int{}
	for _, f := range c.book.now.Own {
		if !f.Follows {
			c.count[f.Severity]++
		}
	}
}

// nothingKey is the key of the row that says that nothing was found.
const nothingKey = "nothing"

// groupKey begins the keys of headings.
const groupKey = "group "

// group is the group that a row is the heading of.
func (c *found) group(n findings.Node) (Group, bool) {
	for _, g := range c.book.now.Beside {
		if n.Finding == nil && n.Key == groupKey+g.Title {
			return g, true
		}
	}
	return Group{}, false
}

func (c *found) sifted(all []rules.Finding) []rules.Finding {
	if c.kinds == allFound {
		return all
	}
	var out []rules.Finding
	for _, f := range all {
		if c.kinds.has(f) {
			out = append(out, f)
		}
	}
	return out
}

// nameOf implements namer.
func (c *found) nameOf(row int) string { return c.nodes[row].Key }

func (c *found) Len() int { return len(c.nodes) }

func (c *found) facts() (string, themes.Role) {
	for _, s := range []abi.Severity{abi.Error, abi.Warning, abi.Notice} {
		if n := c.count[s]; n > 0 {
			sign, _, role := findings.Severity(s)
			return sign + words.Count(n), role
		}
	}
	if c.run == nil || c.live() {
		return "", themes.None
	}
	return "✓", themes.OK
}

// runOf is the run of a finding, nil when it is of none or no longer there.
func (c *found) runOf(f rules.Finding) *record.Run {
	switch {
	case f.RunID == c.run.ID():
		return c.run
	case f.RunID != 0 && c.Run != nil:
		return c.Run(f.RunID)
	}
	return nil
}

func (c *found) at(row int) (rules.Finding, bool) {
	if row < 0 || row >= len(c.nodes) || c.nodes[row].Finding == nil {
		return rules.Finding{}, false
	}
	return *c.nodes[row].Finding, true
}

func (c *found) moment(row int) (Moment, bool) {
	f, ok := c.at(row)
	if !ok || f.RunID != c.run.ID() {
		return Moment{}, false
	}
	return momentOf(c.run, f.Event)
}

// rowsOf is the span of the rows that belong to a moment; holds says which do.
func (c *found) rowsOf(m Moment) (from, to int) {
	for i := range c.nodes {
		if c.holds(i, m) {
			if to == 0 {
				from = i
			}
			to = i + 1
		}
	}
	return from, to
}

func (c *found) holds(row int, m Moment) bool {
	f, ok := c.at(row)
	return ok && f.RunID == m.Run && m.holds(f.Event)
}

func (c *found) budget() int { return 10_000 }

func (c *found) text(row int) []byte {
	n := c.nodes[row]
	if n.Finding == nil {
		return []byte(n.Cause)
	}
	return []byte(string(n.Finding.Severity) + " " + string(n.Finding.Rule) + " " + c.places[row] + " " + n.Finding.Title)
}

// stamp changes with what was found, and with what is folded in a detail.
func (c *found) stamp(row int) uint64 {
	if row < len(c.nodes) && c.stack != "" && c.nodes[row].Key == c.stack {
		return c.book.stamp<<1 | 1
	}
	return c.book.stamp << 1
}

func (c *found) about(row int, a ask) document {
	f, ok := c.at(row)
	if !ok {
		return c.aboutHead(row, a)
	}
	key := c.nodes[row].Key
	x := findings.Ask{Look: a.look, W: a.w, Tab: a.tab, Stack: c.stack == key}
	x.Bytes, _ = findings.At(f, c.runOf(f), c.File)
	told := findings.About(f, x)
	d := document{title: told.Title, of: string(f.Rule), tabs: told.Tabs, tab: told.Tab, head: told.Head, body: told.Body, hex: told.Hex, reveal: told.Reveal}
	d.folds = func(id string, at int) bool {
		switch id {
		case "nav.toggle", "nav.right", "nav.left":
		default:
			return false
		}
		open := id == "nav.right" || id == "nav.toggle" && c.stack != key
		if told.Folds < 0 || id == "nav.left" && c.stack != key || open && id == "nav.right" && c.stack == key {
			return false
		}
		if c.stack = ""; open {
			c.stack = key
		}
		return true
	}
	return d
}

func (c *found) aboutHead(row int, a ask) document {
	n := c.nodes[row]
	if n.Key == nothingKey {
		var d document
		d.note(a.look, c.empty(), a.w-3)
		return d
	}
	d := document{of: "cause", title: cell.Own(themes.Muted, words.Plural(n.Below, "finding"))}
	text := n.Cause
	if g, is := c.group(n); is {
		d.of, text = "others", g.Note
		if len(g.All) == 0 {
			d.title = cell.Own(themes.Muted, g.None)
		}
	}
	d.note(a.look, text, a.w-3)
	return d
}

func (c *found) copyRow(row int) (string, []byte, bool) {
	f, ok := c.at(row)
	if !ok {
		n := c.nodes[row]
		if n.Key == nothingKey {
			return "", nil, false
		}
		return safeText([]byte(n.Cause)), []byte(n.Cause), n.Cause != ""
	}
	text := c.asText(f)
	return text, []byte(text), true
}

// asText is a finding as the commands write it, with its bytes.
func (c *found) asText(f rules.Finding) string {
	return report.Style{}.Finding(f, func(f rules.Finding) (line []byte, at int64, ok bool) {
		b, ok := findings.At(f, c.runOf(f), c.File)
		if !ok || b.Binary {
			return nil, 0, false
		}
		return b.Part()
	})
}

func (c *found) empty() string {
	switch {
	case c.run == nil:
		return "No run yet. What is wrong with a run stands here, the cause first."
	case c.kinds != allFound && len(c.book.now.Own) > 0:
		return "Nothing found is of the kind that is shown: " + c.kinds.String() + ". " + c.look.Key("findings.kinds", "K") + " shows others."
	case c.live():
		return "Nothing found so far."
	}
	return "Nothing found in this run."
}

func (c *found) do(id string, row int) bool {
	switch id {
	case "findings.kinds":
		c.kinds = (c.kinds + 1) % foundKindsEnd
		c.remake()
		return true
	case "nav.in":
		if _, ok := c.at(row); ok {
			return false // the app goes to its bytes
		}
		return c.fold(row, !c.isFolded(row))
	case "nav.toggle":
		return c.fold(row, !c.isFolded(row))
	case "nav.left":
		if row >= 0 && row < len(c.nodes) && (c.nodes[row].Below == 0 || c.isFolded(row)) {
			return c.up(row)
		}
		return c.fold(row, true)
	case "nav.right":
		return c.fold(row, false)
	}
	return false
}

func (c *found) isFolded(row int) bool {
	return row >= 0 && row < len(c.nodes) && c.folded[c.nodes[row].Key]
}

// fold folds a row or unfolds it; false when that changes nothing.
func (c *found) fold(row int, on bool) bool {
	if row < 0 || row >= len(c.nodes) || c.nodes[row].Below == 0 || c.isFolded(row) == on {
		return false
	}
	c.folded[c.nodes[row].Key] = on
	c.build()
	c.panel.renumbered()
	c.panel.rows.Select(row)
	return true
}

// up selects the row that this one stands below.
func (c *found) up(row int) bool {
	for i := row - 1; i >= 0; i-- {
		if c.nodes[i].Below > 0 && (c.nodes[i].Depth < c.nodes[row].Depth || c.nodes[i].Finding == nil) {
			c.panel.rows.Select(i)
			return true
		}
	}
	return false
}

// rowOf implements pointer: a finding is a row of its own.
func (c *found) rowOf(f rules.Finding) (row int, ok bool) {
	c.kinds = allFound
	for range 2 {
		c.build()
		for i, n := range c.nodes {
			if n.Finding != nil && oneFinding(*n.Finding, f) {
				return i, true
			}
		}
		c.folded = map[string]bool{}
	}
	return 0, false
}

// finding implements pointer.
func (c *found) finding(row int) (rules.Finding, bool) { return c.at(row) }
