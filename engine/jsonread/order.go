package jsonread

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// maxDivide is how many digits numbers may have that are divided exactly.
const maxDivide = 1000

// CompareNumbers orders two numbers by their exact values: -1, 0 or 1. Both
// must be numbers.
func CompareNumbers(a, b Value) int {
	if string(a.Raw()) == string(b.Raw()) {
		return 0
	}
	if x, ok := smallInt(a.Raw()); ok {
		if y, ok := smallInt(b.Raw()); ok {
			return cmp.Compare(x, y)
		}
	}
	return parseDecimal(a.Raw()).compare(parseDecimal(b.Raw()))
}

// smallInt reads what most numbers are: a few digits.
func smallInt(raw []byte) (int64, bool) {
	if len(raw) > 18 {
		return 0, false
	}
	digits, sign := raw, int64(1)
	if raw[0] == '-' {
		digits, sign = raw[1:], -1
	}
	n := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return sign * n, true
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d decimal) compare(e decimal) int {
	s := d.sign()
	if s != e.sign() || s == 0 {
		return cmp.Compare(s, e.sign())
	}
	if c := comparePoints(d, e); c != 0 {
		return s * c
	}
	return s * strings.Compare(d.digits, e.digits)
}

// comparePoints orders two numbers' powers of ten. Beside an exponent of more
// than maxExponent digits all else is as nothing.
func comparePoints(d, e decimal) int {
	switch {
	case d.exp == e.exp:
		return cmp.Compare(d.point, e.point)
	case len(d.exp) <= maxExponent && len(e.exp) <= maxExponent:
		return d.bigPoint().Cmp(e.bigPoint())
	}
	size := func(exp string) (sign, length int, digits string) {
		switch {
		case exp == "":
			return 0, 0, ""
		case exp[0] == '-':
			return -1, len(exp) - 1, exp[1:]
		}
		return 1, len(exp), exp
	}
	ds, dl, dd := size(d.exp)
	es, el, ed := size(e.exp)
	if ds != es {
		return cmp.Compare(ds, es)
	}
	return ds * cmp.Or(cmp.Compare(dl, el), strings.Compare(dd, ed))
}

// MultipleOf reports whether v is a whole multiple of a number other than zero,
// by their exact values. known is false when that would take too long: where a
// number has more than 1,000 digits, or an exponent of more than 18.
func MultipleOf(v, of Value) (is, known bool) {
	d, e := parseDecimal(v.Raw()), parseDecimal(of.Raw())
	switch {
	case d.digits == "":
		return true, true
	case e.digits == "":
		return false, true
	case d.exp != "" || e.exp != "" || len(d.digits) > maxDivide || len(e.digits) > maxDivide:
		return false, false
	}
	// The digits end in no zero: only what is not below the other's last digit
	// can be its multiple.
	power := (d.point - int64(len(d.digits))) - (e.point - int64(len(e.digits)))
	if power < 0 {
		return false, true
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	m, _ := new(big.Int).SetString(e.digits, 10)
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(power), m)
	return n.Mod(n.Mul(n, p), m).Sign() == 0, true
}

// AppendNumber writes a number so that numbers of the same value are written
// alike: 100, 1e2 and 100.0. What it writes is meant for comparing alone.
func (v Value) AppendNumber(dst []byte) []byte {
	d := parseDecimal(v.Raw())
	if d.digits == "" {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	dst = append(append(dst, d.digits...), 'e')
	switch {
	case d.exp == "":
		return strconv.AppendInt(dst, d.point, 10)
	case len(d.exp) <= maxExponent:
		return d.bigPoint().Append(dst, 10)
	}
	dst = append(append(dst, d.exp...), '+')
	return strconv.AppendInt(dst, d.point, 10)
}
