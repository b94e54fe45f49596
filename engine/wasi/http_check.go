package wasi

// CheckOutput says, without changing anything, whether CreateOutput of this
// path may succeed: it lies in a mount that can be written and is no folder.
// Missing folders above it are made later. Errors are PathErrors.
func (p *Process) CheckOutput(path string, id int) error {
	d, rest, err := p.mountOf(path)
	if err == nil && d.mount.readOnly {
		err = &refusal{EPERM, readOnlyWhy(d.mount)}
	}
	if err == nil {
		err = d.in(rest, true, func(pl *place) error {
			if pl.missing() && !pl.slash {
				return nil
			}
			return pl.wantFile()
		})
		if errnoOf(err) == ENOENT {
			err = nil
		}
	}
	if err != nil {
		return p.badPath(path, id, err)
	}
	return nil
}
