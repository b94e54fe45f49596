package verdict

import (
	"perch/inspect/rules"
	"perch/themes"
	"perch/ui/cell"
	"perch/ui/findings"
	"perch/ui/list"
	"perch/ui/module"
	"perch/ui/prose"
	"perch/ui/words"
)

// The tabs of the pane beside.
const (
	importsTab = iota
	findingTab
	bytesTab
	sideTabs
)

// side is the pane beside the findings: the imports and features of the module,
// or what is told of the selected finding, or its bytes.
type side struct {
	tab   int
	stack bool // the whole stack is shown
	rows  *list.List
	made  sideKey
	head  []cell.Line
	folds int
	top   int // rows above the list when it was drawn last
}

// sideKey says for what the rows were made.
type sideKey struct {
	tab   int
	stack bool
	w     int
	look  *cell.Look
	row   *rules.Finding
}

// SideTitle is the title of the pane beside.
func (v *View) SideTitle() cell.Title {
	t := cell.Title{Focused: v.beside}
	for i, name := range []string{"Imports", "Finding", "Bytes"} {
		t.Tabs = append(t.Tabs, cell.Tab{Name: name, Current: i == v.side.tab})
	}
	if module.Readable(v.module) && v.side.tab == importsTab {
		t.Facts = cell.Own(themes.Muted, words.Count(len(v.module.Imports)))
	}
	return t
}

// SetTab chooses a tab of the pane beside.
func (v *View) SetTab(i int) {
	if i >= 0 && i < sideTabs {
		v.side.tab = i
	}
}

func (v *View) turn(id string) bool {
	step := 1
	if id == "tab.prev" {
		step = sideTabs - 1
	}
	v.side.tab = (v.side.tab + step) % sideTabs
	if v.alone {
		v.beside = true
	}
	return true
}

// DrawSide draws the pane beside below its title.
func (v *View) DrawSide(k *cell.Look, w, h int) cell.Block {
	it, _ := v.at()
	key := sideKey{v.side.tab, v.side.stack, w, k, it.finding}
	if v.side.tab == importsTab {
		key.row = nil
	}
	if v.side.rows == nil || key != v.side.made {
		v.make(k, w, key, it)
	}
	out := k.Lines(v.side.head, w, min(len(v.side.head), h))
	v.side.top = len(out)
	v.side.rows.Bare(!v.beside)
	return append(out, v.side.rows.View(k, w, h-len(out), v.beside)...)
}

// make makes the rows; where the same is drawn anew the place stays.
func (v *View) make(k *cell.Look, w int, key sideKey, it item) {
	s := &v.side
	same := s.rows != nil && s.made.tab == key.tab && s.made.row == key.row
	at := 0
	if same {
		at, _ = s.rows.Selected()
	}
	s.made, s.head, s.folds = key, nil, -1
	first := 0
	switch {
	case s.tab == importsTab:
		s.rows = list.New(list.Lines(v.importLines(k, w)))
	case it.finding == nil:
		s.rows = list.New(list.Lines(say(k, "Select a finding: what is told of it, and its bytes, stand here.", w)))
	default:
		first = v.makeFinding(k, w, *it.finding)
	}
	if same {
		first = at
	}
	if first > 0 {
		s.rows.Jump(first)
	}
}

func (v *View) makeFinding(k *cell.Look, w int, f rules.Finding) (first int) {
	s := &v.side
	ask := findings.Ask{Look: k, W: w, Stack: s.stack}
	ask.Bytes, _ = findings.At(f, nil, v.file)
	if s.tab == bytesTab {
		if ask.Bytes.Source == nil {
			s.rows = list.New(list.Lines(say(k, "It points at no bytes.", w)))
			return 0
		}
		ask.Tab = "Hex"
	}
	told := findings.About(f, ask)
	if s.tab == findingTab {
		s.head = []cell.Line{prose.Indent(told.Title, 1)}
	} else {
		s.head = told.Head
	}
	s.rows, s.folds = list.New(told.Body), told.Folds
	return told.Reveal
}

// importLines are the imports, features and exports, or why they are not known.
func (v *View) importLines(k *cell.Look, w int) []cell.Line {
	switch {
	case module.Readable(v.module):
		return module.Table(v.module, w-3)
	case v.module != nil:
		return say(k, "These bytes cannot be read as a module, so its imports and features are not known.", w)
	}
	return say(k, "There is no module to read.", w)
}

func say(k *cell.Look, text string, w int) []cell.Line {
	return prose.Hanging(k, cell.Line{}, 0, themes.Muted, text, w-list.Frame)
}

// do does a command in the pane beside.
func (s *side) do(id string) bool {
	if s.rows == nil {
		return false
	}
	if id == "nav.toggle" || id == "nav.right" {
		if s.folds < 0 {
			return false
		}
		s.stack = !s.stack
		return true
	}
	return s.rows.Do(id, false)
}
