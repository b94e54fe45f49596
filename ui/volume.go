package ui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"perch/engine/abi"
	"perch/inspect/bench"
	"perch/ui/box"
	"perch/ui/gallery"
	"perch/ui/stream"
	"perch/ui/words"
)

// volumeMsg says what came of a change of the volume, or of a file that was
// saved.
type volumeMsg struct {
	session int
	said    string
	err     error
	// ask is asked when something is in the way; nil: nothing is.
	ask *question
}

// filesMsg are the paths that a typed one could go on to.
type filesMsg struct {
	box  *box.Box
	text string
	all  []string
}

func (a *App) whyNoVolume() string {
	switch s := a.session; {
	case s == nil || s.bench == nil:
		return "open a package first"
	case s.live != nil:
		return "a call runs, and the volume is its · ctrl+c ends it"
	}
	return ""
}

// fileBefore is a file of the volume as it was before a run.
func (a *App) fileBefore(run uint32, guest string) stream.Was {
	name, ok := strings.CutPrefix(path.Clean(guest), abi.VolumeRoot+"/")
	if !ok || a.session == nil || a.session.bench == nil || a.session.bench.Files == nil {
		return stream.Was{}
	}
	before, _, ok := a.session.bench.Files.Around(run)
	if !ok {
		return stream.Was{}
	}
	f, there := before.File(name)
	if !there && before.Partial {
		return stream.Was{}
	}
	return stream.Was{Known: true, There: there, Size: f.Size, Data: f.Data, Kept: f.Kept}
}

// volumeHolds are the files below a folder of the volume, as it was seen last.
func (a *App) volumeHolds(folder string, n int) (files []stream.Held, all int, seen uint64) {
	if a.session == nil || a.session.bench == nil || a.session.bench.Files == nil {
		return nil, 0, 0
	}
	now, seen := a.session.bench.Files.Now()
	below, ok := strings.CutPrefix(folder, abi.VolumeRoot+"/")
	if !ok || n == 0 {
		return nil, 0, seen
	}
	names, all := now.Names(below, n)
	for _, name := range names {
		f, _ := now.File(name)
		files = append(files, stream.Held{Name: strings.TrimPrefix(name, below+"/"), Size: f.Size})
	}
	return files, all, seen
}

// readFile reads a file of the volume as a run left it, at most n bytes, for
// the detail of Files.
func (a *App) readFile(run uint32, guest string, n int64) ([]byte, int64, error) {
	if a.session == nil || a.session.bench == nil {
		return nil, 0, os.ErrNotExist
	}
	f, size, err := fileOfRun(a.session.bench, run, guest)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, n))
	return b, size, err
}

// fileOfRun opens a file of the volume as a run left it. Of the newest run the
// disk is read where the content was not kept.
func fileOfRun(b *bench.Bench, run uint32, guest string) (io.ReadCloser, int64, error) {
	name, ok := strings.CutPrefix(path.Clean(guest), abi.VolumeRoot+"/")
	if !ok {
		return nil, 0, os.ErrNotExist
	}
	if b.Files != nil {
		if _, after, ok := b.Files.Around(run); ok && after != nil {
			if f, there := after.File(name); there && f.Kept {
				return io.NopCloser(bytes.NewReader(f.Data)), f.Size, nil
			} else if !there && !after.Partial {
				return nil, 0, os.ErrNotExist
			}
		}
	}
	if last := b.Record.Last(); last != nil && last.ID() != run {
		return nil, 0, errors.New("what it held then is no longer kept")
	}
	return openVolume(b, name)
}

// openVolume opens a file below the volume. A module may have put anything
// there: links lead nowhere out of it, and only regular files are opened.
func openVolume(b *bench.Bench, name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(b.Session.VolumeDir())
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	info, err := root.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, os.ErrInvalid
	}
	f, err := root.Open(name)
	return f, info.Size(), err
}

// pathBox is a box in which a path of this machine is typed, with what it could
// go on to in its rows. A folder is gone into, a file is taken.
func (a *App) pathBox(b *box.Box, start string, take func(*App, string) tea.Cmd) tea.Cmd {
	var offers []string
	b.Items = func(text string) []box.Item {
		var out []box.Item
		for _, o := range offers {
			if strings.HasPrefix(o, text) {
				out = append(out, box.Item{Name: o, Value: o})
			}
		}
		if out == nil && text != "" {
			out = append(out, box.Item{Name: text, Value: text})
		}
		return out
	}
	look := func(a *App) tea.Cmd {
		text := b.Input().Text()
		return a.once(func() tea.Msg { return filesMsg{b, text, pathsAfter(text)} })
	}
	b.Input().SetText(start)
	b.Changed()
	a.push(&overlay{box: b, keep: true, typed: look,
		keys: map[string]func(*App){"tab": func(*App) {
			if to := completed(b, offers); to != "" {
				b.Input().SetText(to)
				b.Changed()
			}
		}},
		offered: func(all []string) { offers = all; b.Changed() },
		choose: func(a *App, it box.Item) tea.Cmd {
			name, _ := it.Value.(string)
			if strings.HasSuffix(name, string(filepath.Separator)) {
				b.Input().SetText(name)
				b.Changed()
				return look(a)
			}
			a.pop()
			return take(a, gallery.Expand(name))
		}})
	return look(a)
}

// completed is what tab makes of a typed path: what all offers go on with, or
// where that adds nothing the selected one.
func completed(b *box.Box, offers []string) string {
	typed, common := b.Input().Text(), ""
	for _, o := range offers {
		if !strings.HasPrefix(o, typed) {
			continue
		}
		if common == "" {
			common = o
		}
		for !strings.HasPrefix(o, common) {
			_, n := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-n]
		}
	}
	if len(common) > len(typed) {
		return common
	}
	it, _ := b.Selected()
	name, _ := it.Value.(string)
	return name
}

// offeredFiles takes the paths that a typed one could go on to.
func (a *App) offeredFiles(m filesMsg) {
	if n := len(a.over); n > 0 && a.over[n-1].box == m.box && a.over[n-1].offered != nil && m.box.Input().Text() == m.text {
		a.over[n-1].offered(m.all)
	}
}

// maxPaths is how many paths are looked for.
const maxPaths = 200

// pathsAfter are the files and folders that a path could go on to. It reads the
// disk: not for the goroutine that draws.
func pathsAfter(text string) []string {
	dir, start := filepath.Split(gallery.Expand(text))
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(4096)
	if err != nil && len(entries) == 0 {
		return nil
	}
	prefix := text[:max(len(text)-len(start), 0)]
	if text == "~" {
		prefix, start = "~"+string(filepath.Separator), ""
		return pathsAfter(prefix)
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, start) || start == "" && strings.HasPrefix(name, ".") || len(out) == maxPaths {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case err != nil:
		case info.IsDir():
			out = append(out, prefix+name+string(filepath.Separator))
		case info.Mode().IsRegular():
			out = append(out, prefix+name)
		}
	}
	slices.Sort(out)
	return out
}

// openAddFile asks which file is put into the volume.
func (a *App) openAddFile() tea.Cmd {
	b := &box.Box{Title: "Put a file into the volume", Sign: "a", Prompt: "file", Width: 76, Height: 10, Foot: "tab completes   ↑↓ choose   enter opens a folder, takes a file   esc"}
	return a.pathBox(b, "", func(a *App, from string) tea.Cmd { return a.openPutAs(from) })
}

// openPutAs asks under which name it is put there.
func (a *App) openPutAs(from string) tea.Cmd {
	s := a.session
	b := &box.Box{Title: "Put it where?", Sign: "a", Prompt: "as", Width: 76, Foot: "enter puts it there   esc"}
	b.Items = func(name string) []box.Item {
		it := box.Item{Label: "put ", Name: filepath.Base(from) + " as " + name, Value: name}
		if _, ok := s.bench.Session.VolumeFile(name); !ok {
			it.Disabled = "the module can write below " + abi.VolumeTmp + a.dataToo(s)
		}
		return []box.Item{it}
	}
	b.Input().SetText(a.folderHere() + filepath.Base(from))
	b.Changed()
	a.push(&overlay{box: b,
		build: func(a *App, w int) {
			b.Text = paragraphs(a.look, "The name is the module's: it opens the file by it. The file itself is copied; yours stays as it is.", w)
		},
		choose: func(a *App, it box.Item) tea.Cmd {
			name, _ := it.Value.(string)
			return a.putFile(s, name, from, false)
		}})
	return nil
}

func (a *App) dataToo(s *session) string {
	if s.bench.Session.Config().Data {
		return " and " + abi.VolumeData
	}
	return ""
}

// folderHere is the folder of the selected row of Files, where the module can
// write below it.
func (a *App) folderHere() string {
	if f, ok := stream.FileIn(a.paneAt(paneFiles)); ok {
		dir := f.Path
		if !f.Mount && !f.Folder {
			dir = path.Dir(dir)
		}
		if _, ok := a.session.bench.Session.VolumeFile(dir + "/x"); ok {
			return dir + "/"
		}
	}
	return abi.VolumeTmp + "/"
}

// putFile copies a file into the volume, and asks before another one goes.
func (a *App) putFile(s *session, guest, from string, replace bool) tea.Cmd {
	return a.use(s, func(b *bench.Bench) tea.Msg {
		size, err := b.Session.PutFile(guest, from, replace)
		if errors.Is(err, fs.ErrExist) && !replace {
			return volumeMsg{session: s.id, ask: &question{
				title: "Replace the file in the volume?", text: guest + " is there. Its content is lost.",
				answers: []answer{{"n", "keep it", nil}, {"r", "replace it", func(a *App) tea.Cmd { return a.putFile(s, guest, from, true) }}},
			}}
		}
		if err != nil {
			return volumeMsg{session: s.id, err: fmt.Errorf("the file was not put there: %w", err)}
		}
		b.Files.Look(b.Session.VolumeDir())
		return volumeMsg{session: s.id, said: fmt.Sprintf("%s is in the volume, %s", path.Clean(guest), words.Size(size))}
	})
}

// askReset asks before the volume is emptied.
func (a *App) askReset() tea.Cmd {
	s := a.session
	q := question{
		title: "Reset the volume?",
		text:  "All files below " + abi.VolumeTmp + a.dataToo(s) + " go. It is a private folder of this session: nothing of yours is in it but what you put there.",
		answers: []answer{{"n", "keep it", nil},
			{"r", "reset it", func(a *App) tea.Cmd { return a.resetVolume(s) }}},
	}
	if !s.bench.Session.OwnVolume() {
		dir := s.bench.Session.VolumeDir()
		q.title = "Empty your own folder?"
		q.text = "The volume is " + dir + ", a folder of yours. All files in its tmp" + strings.ReplaceAll(a.dataToo(s), abi.VolumeRoot+"/", "") + " are removed, and there is no way back."
		q.answers[1].letter, q.answers[1].label = "E", "empty my folder"
	}
	a.ask(q)
	return nil
}

func (a *App) resetVolume(s *session) tea.Cmd {
	if why := a.whyNoVolume(); why != "" {
		return a.say(toast{text: why, brief: true})
	}
	return a.use(s, func(b *bench.Bench) tea.Msg {
		err := b.Session.ResetVolume()
		b.Files.Look(b.Session.VolumeDir())
		if err != nil {
			return volumeMsg{session: s.id, err: fmt.Errorf("the volume was not reset whole: %w", err)}
		}
		return volumeMsg{session: s.id, said: "the volume is empty, as in a new session"}
	})
}

// volumeChanged says what came of a change of the volume.
func (a *App) volumeChanged(m volumeMsg) tea.Cmd {
	switch {
	case !a.current(m.session):
		return nil
	case m.ask != nil:
		a.ask(*m.ask)
		return nil
	case m.err != nil:
		return a.say(toast{text: m.err.Error(), bad: true})
	}
	return a.say(toast{text: m.said})
}

func (a *App) saysSaveFile() string {
	if a.whyNoFile() != "" {
		return ""
	}
	return "save as"
}

// whyNoFile says why the selected file cannot be saved.
func (a *App) whyNoFile() string {
	f, ok := stream.FileIn(a.paneAt(paneFiles))
	switch {
	case !ok || f.Mount || f.Folder:
		return "select a file first"
	case f.Removed:
		return "the run removed it"
	}
	if name, ok := strings.CutPrefix(f.Path, abi.VolumeRoot+"/"); !ok || name == "" {
		return "it is not in the volume: it came with the package"
	}
	return ""
}

// openSaveFile asks where the selected file is saved.
func (a *App) openSaveFile() tea.Cmd {
	f, _ := stream.FileIn(a.paneAt(paneFiles))
	run := a.session.shown
	if run == nil {
		return nil
	}
	b := &box.Box{Title: "Save a file of the volume as", Sign: "S", Prompt: "to", Width: 76, Height: 8, Foot: "type a path   enter opens a folder, saves into a file   esc"}
	name := path.Base(f.Path)
	return a.pathBox(b, name, func(a *App, to string) tea.Cmd { return a.saveFile(run.ID(), f.Path, to, false) })
}

// saveFile copies a file out of the volume, as the run that is shown left it,
// and asks before another one goes.
func (a *App) saveFile(run uint32, guest, to string, replace bool) tea.Cmd {
	s := a.session
	return a.use(s, func(b *bench.Bench) tea.Msg {
		if _, err := os.Lstat(to); err == nil && !replace {
			return volumeMsg{session: s.id, ask: &question{
				title: "Replace this file of yours?", text: to + " is there. Its content is lost.",
				answers: []answer{{"n", "keep it", nil}, {"r", "replace it", func(a *App) tea.Cmd { return a.saveFile(run, guest, to, true) }}},
			}}
		}
		size, err := copyOut(b, run, guest, to)
		if err != nil {
			return volumeMsg{session: s.id, err: fmt.Errorf("%s was not saved: %w", guest, err)}
		}
		return volumeMsg{session: s.id, said: fmt.Sprintf("saved %s to %s", words.Size(size), to)}
	})
}

// copyOut writes a file beside the place it goes to, so that what is there
// stays when the disk is full.
func copyOut(b *bench.Bench, run uint32, guest, to string) (size int64, err error) {
	src, _, err := fileOfRun(b, run, guest)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	part, err := os.CreateTemp(filepath.Dir(to), ".perch-*")
	if err != nil {
		return 0, err
	}
	size, err = io.Copy(part, src)
	if e := part.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(part.Name(), to)
	}
	if err != nil {
		_ = os.Remove(part.Name())
	}
	return size, err
}
