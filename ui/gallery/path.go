package gallery

import (
	"strings"

	"perch/themes"
	"perch/ui/cell"
	"perch/ui/words"
)

// picker is the path that is typed and how it could go on.
type picker struct {
	listing Listing
	known   bool   // the listing is of the path as it stands
	asked   string // the path that was asked about last
	asking  bool   // it was
	picked  int    // an offer, -1: none
	wants   bool   // completion, as soon as the listing is there
	top     int
	dead    bool // the last completion found nothing to go on with
}

// Ask is the path whose listing is wanted; false when it is there or on its
// way.
func (v *View) Ask() (string, bool) {
	text := v.path.Text()
	if !v.Completing() || v.pick.known && v.pick.listing.Text == text || v.pick.asking && v.pick.asked == text {
		return "", false
	}
	v.pick.asked, v.pick.asking = text, true
	return text, true
}

// Listed takes a listing; one of another text is dropped.
func (v *View) Listed(l Listing) {
	if l.Text != v.path.Text() {
		return
	}
	v.pick = picker{listing: l, known: true, picked: -1, wants: v.pick.wants}
	if v.pick.wants {
		v.Complete()
	}
}

// retype puts another path in.
func (v *View) retype(text string) {
	v.path.SetText(text)
	v.pick = picker{picked: -1}
}

// Complete is tab in the path: it takes the offer that is picked, or as much as
// all offers share.
func (v *View) Complete() {
	p := &v.pick
	if !p.known || p.listing.Text != v.path.Text() {
		p.wants = true
		return
	}
	p.wants = false
	if p.picked >= 0 {
		v.retype(p.listing.Offers[p.picked].Path)
		return
	}
	var paths []string
	for _, o := range p.listing.Offers {
		if o.Kind != Other {
			paths = append(paths, o.Path)
		}
	}
	common := commonStart(paths)
	switch {
	case len(common) > len(v.path.Text()) || len(paths) == 1 && common != v.path.Text():
		v.retype(common)
	case len(paths) > 1:
		p.picked = 0 // there is nothing to share: walk them
	default:
		p.dead = true
	}
}

// GoIn is enter on a folder that is picked and holds no package: it goes into
// it. It reports whether it did.
func (v *View) GoIn() bool {
	p := &v.pick
	if !v.Completing() || p.picked < 0 || p.listing.Offers[p.picked].Kind != Folder {
		return false
	}
	v.retype(p.listing.Offers[p.picked].Path)
	return true
}

// Picks reports whether enter goes into a folder.
func (v *View) Picks() bool {
	p := &v.pick
	return v.Completing() && p.picked >= 0 && p.listing.Offers[p.picked].Kind == Folder
}

// movePick walks the offers; before the first is the path itself.
func (v *View) movePick(n int) {
	p := &v.pick
	if p.known {
		p.picked = min(max(p.picked+n, -1), len(p.listing.Offers)-1)
	}
}

func commonStart(all []string) string {
	if len(all) == 0 {
		return ""
	}
	common := all[0]
	for _, s := range all[1:] {
		for !strings.HasPrefix(s, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.ToValidUTF8(common, "")
}

// offerLines are the rows below the path while it is typed, and the offer of
// each: 0 none, else one more than its index.
func (v *View) offerLines(k *cell.Look, w int) ([]cell.Line, []int) {
	p := &v.pick
	l := p.listing
	var out []cell.Line
	var of []int
	add := func(line cell.Line, offer int) { out, of = append(out, line), append(of, offer) }
	add(v.offerHead(k, w), 0)
	if l.Why != "" && p.known {
		var line cell.Line
		line.Blank(1).Own(cell.Fg(themes.Notice), l.Why)
		add(line, 0)
		return out, of
	}
	for i, o := range l.Offers {
		add(v.offerLine(o, i == p.picked, w), i+1)
	}
	if l.More > 0 {
		var line cell.Line
		line.Blank(1).Own(cell.Fg(themes.Faint), "… "+words.Count(l.More)+" more: type on")
		add(line, 0)
	}
	if p.known && len(l.Offers) == 0 {
		var line cell.Line
		line.Blank(1).Own(cell.Fg(themes.Muted), v.whyNothing(k))
		add(line, 0)
	}
	return out, of
}

func (v *View) whyNothing(k *cell.Look) string {
	l := v.pick.listing
	switch {
	case l.Text != "" && !strings.HasPrefix(l.Dir, l.Text):
		return "No name here begins so. " + k.Key("nav.out", "esc") + " leaves the path."
	case l.Hidden > 0:
		return "Only names that begin with a dot: type . to see them."
	}
	return "This folder is empty."
}

// hiddenKey says how names that begin with a dot are seen, where there is room.
func hiddenKey(w int) string {
	if w < 60 {
		return ""
	}
	return ", . shows them"
}

// offerHead says what is listed.
func (v *View) offerHead(k *cell.Look, w int) cell.Line {
	l := v.pick.listing
	var line cell.Line
	line.Blank(1)
	if l.Dir == "" {
		return line // it is being read
	}
	line.Own(cell.Fg(themes.Muted), "In ").TextIn(cell.Fg(themes.Muted), l.Dir, min(len(l.Dir), max(w-44, 12)), cell.CutPath)
	if l.Package {
		line.Own(cell.Fg(themes.Accent), " · a package: "+k.Key("type.accept", "enter")+" opens it")
		return line
	}
	n := 0
	for _, o := range l.Offers {
		if o.Kind == Package {
			n++
		}
	}
	if n > 0 {
		line.Own(cell.Fg(themes.Muted), " · "+words.Plural(n, "package"))
	}
	if l.Hidden > 0 {
		line.Own(cell.Fg(themes.Faint), " · "+words.Count(l.Hidden)+" hidden"+hiddenKey(w))
	}
	if v.pick.dead {
		line.Own(cell.Fg(themes.Notice), " · nothing to complete")
	}
	return line
}

func (v *View) offerLine(o Offer, picked bool, w int) cell.Line {
	var line cell.Line
	if picked {
		line.Own(cell.Fg(themes.BorderFocus), "❯")
		line.Fill = cell.Style{Fg: themes.Text, Bg: themes.Selection}
	} else {
		line.Blank(1)
	}
	name, role, about := o.Name, themes.Text, ""
	if o.Dir {
		name += "/"
	}
	switch {
	case o.Kind == Other:
		role, about = themes.Faint, "· no package"
	case o.Kind == Package && o.Dir:
		about = "package"
	case o.Kind == Package:
		about = "package, " + words.Size(o.Size)
	default:
		role = themes.Muted
	}
	line.TextIn(cell.Fg(role), name, min(max(w-26, 10), 44), cell.CutEnd).Blank(2)
	aboutRole := themes.Muted
	if o.Kind == Other {
		aboutRole = themes.Faint
	}
	return *line.Own(cell.Fg(aboutRole), about)
}
