package bench

import (
	"crypto/x509"
	"fmt"
	"strconv"

	"perch/engine"
	"perch/engine/abi"
	"perch/engine/disk"
	"perch/engine/egress"
	"perch/engine/settings"
)

// engineConfig makes the engine's configuration of settings, reading the files
// that they name.
func engineConfig(s settings.Settings) (engine.Config, error) {
	c := engine.Config{Timeout: s.Timeout.V, Memory: s.Memory.V, Volume: s.Volume.V, Data: s.Data.V, Skills: s.Skills.V, Assets: s.Assets.V}
	if s.Seed != nil {
		c.Seed = strconv.FormatUint(s.Seed.V, 10)
	}
	var err error
	c.Egress, err = policy(s)
	return c, err
}

func policy(s settings.Settings) (egress.Policy, error) {
	var p egress.Policy
	for _, a := range s.Allow {
		p.Allow = append(p.Allow, egress.HostRule{Text: a.V, Source: a.From})
	}
	for _, r := range s.Routes {
		p.Routes = append(p.Routes, egress.Route{Host: r.V.Host, Port: r.V.Port, Addr: r.V.Addr, Source: r.From})
	}
	for _, c := range s.Credentials {
		p.Credentials = append(p.Credentials, egress.Credential{Origin: c.V.Origin, Header: c.V.Header, Env: c.V.Env, Source: c.From})
	}
	if s.CA.V != "" {
		pem, err := disk.ReadFile(s.CA.V, abi.MaxCAFile)
		if err != nil {
			return p, fmt.Errorf("read the certificates of %s: %w", s.CA.From, err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(pem) {
			return p, fmt.Errorf("read the certificates of %s: %s holds no certificate in PEM form", s.CA.From, s.CA.V)
		}
		p.RouteCA = pem
	}
	for _, m := range s.Mocks {
		text, err := disk.ReadFile(m.V, abi.MaxCAFile)
		if err != nil {
			return p, fmt.Errorf("read the mocks of %s: %w", m.From, err)
		}
		mocks, err := egress.ParseMocks(text, m.V)
		if err != nil {
			return p, err
		}
		p.Mocks = append(p.Mocks, mocks...)
	}
	return p, nil
}
