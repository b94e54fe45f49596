package bench

import (
	"bytes"
	"slices"
	"strings"

	"perch/engine/abi"
	"perch/engine/egress"
	"perch/engine/event"
	"perch/engine/pack"
)

// ByPerson begins the source of a rule that a person made while a package was
// open.
const ByPerson = "allowed by you"

// TakeOver makes this bench go on where another one of the same package was,
// before it was built again: the record of runs and their numbers, what the
// volume holds and held, and the hosts that the person allowed for the session.
// It waits for the run that goes on in the other one, which must begin no other
// afterwards and is still to be closed. This one must have run nothing yet.
func (b *Bench) TakeOver(before *Bench) error {
	err := b.Session.TakeVolume(before.Session)
	b.engine.Continue(before.engine)
	p := b.Session.Config().Egress
	p.Allow = slices.Clone(p.Allow)
	for _, rule := range before.Session.Config().Egress.Allow {
		if strings.HasPrefix(rule.Source, ByPerson) && !slices.ContainsFunc(p.Allow, func(x egress.HostRule) bool { return x.Text == rule.Text }) {
			p.Allow = append(p.Allow, rule)
		}
	}
	b.Session.SetPolicy(p)
	before.mu.Lock()
	defer before.mu.Unlock()
	b.Record, b.Probes, b.Files = before.Record, before.Probes, before.Files
	before.handedOver = true
	return err
}

// SameAs reports whether another bench has the same package with the same
// settings, byte for byte, so that there is nothing to look at anew. With assets
// it is false: their bytes are not compared.
func (b *Bench) SameAs(x *Bench) bool {
	p, q := b.Package, x.Package
	return p.Form == q.Form && p.SHA256 == q.SHA256 && bytes.Equal(p.ManifestRaw, q.ManifestRaw) && p.AssetsDir == "" && q.AssetsDir == "" &&
		b.Settings.SHA256 == x.Settings.SHA256 && b.Settings.Trusted == x.Settings.Trusted && len(p.Breaches) == len(q.Breaches)
}

// NotWhole says why what was read cannot be all of the package: an archive that
// ends early, a module that is missing, empty or cut off. A package that is being
// written looks like this for a while. Nil when it is whole, whatever else may be
// wrong with it.
func (b *Bench) NotWhole() error {
	p := b.Package
	if p.Fault != nil {
		return p.Fault
	}
	for _, x := range b.Session.Breaches() {
		switch x.Rule {
		case abi.PackageModuleMissing, abi.ModuleNotWasm, abi.ModuleMalformed:
			return &pack.Error{Path: p.Path, What: wholeText(x), Do: x.Fix}
		}
	}
	return nil
}

// wholeText is the first sentence of a breach, with the place of its bytes.
func wholeText(x event.Breach) string {
	text, _, _ := strings.Cut(x.Detail, ". ")
	return strings.TrimSuffix(text, ".")
}
