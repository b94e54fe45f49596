package wasi

import (
	"errors"
	"fmt"
	"os"
	"path"
)

// Opened is a mount that is open. Several processes may use it, one after the
// other; it is closed after the last of them.
type Opened struct{ mount *mount }

// OpenMount opens a mount, so that processes need not open it each. Errors name
// the mount.
func OpenMount(m Mount) (*Opened, error) {
	fail := func(err error) (*Opened, error) { return nil, fmt.Errorf("mount %s: %w", m.Guest, err) }
	if !path.IsAbs(m.Guest) || path.Clean(m.Guest) != m.Guest {
		return fail(errors.New("its name in the guest is not an absolute, clean path"))
	}
	var root *os.Root
	var err error
	if m.Root != nil {
		root, err = m.Root.OpenRoot(".")
	} else {
		root, err = os.OpenRoot(m.Dir)
	}
	if err != nil {
		return fail(err)
	}
	fo, err := newFolder(root)
	if err != nil {
		return fail(err)
	}
	return &Opened{&mount{m.Guest, m.ReadOnly, fo}}, nil
}

// Guest is the mount's name in the guest.
func (o *Opened) Guest() string { return o.mount.guest }

// ReadOnly reports whether every kind of write answers EPERM.
func (o *Opened) ReadOnly() bool { return o.mount.readOnly }

// Root is the folder; it stays the mount's.
func (o *Opened) Root() *os.Root { return o.mount.folder.root }

// Close closes the folder. No process may use it any more.
func (o *Opened) Close() error { return o.mount.folder.close() }
