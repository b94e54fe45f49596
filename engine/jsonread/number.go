package jsonread

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// decimal is a number's exact value: 0.digits times ten to the power of point.
type decimal struct {
	neg    bool
	digits string // without zeros at either end; empty is zero
	point  int64
	exp    string // of an exponent that 18 digits do not hold, with its sign; then added to point
}

// Numbers with an exponent of more digits than this are equal only when their
// exponents are written alike; no such number has a meaning.
const maxExponent = 1000

func parseDecimal(text []byte) decimal {
	var d decimal
	if text[0] == '-' {
		d.neg, text = true, text[1:]
	}
	mantissa, exp := text, ""
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		mantissa, exp = text[:i], string(text[i+1:])
	}
	whole, frac, _ := strings.Cut(string(mantissa), ".")
	digits := whole + frac
	d.point = int64(len(whole))
	trimmed := strings.TrimLeft(digits, "0")
	d.point -= int64(len(digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	sign := ""
	if exp != "" && (exp[0] == '+' || exp[0] == '-') {
		if exp[0] == '-' {
			sign = "-"
		}
		exp = exp[1:]
	}
	exp = strings.TrimLeft(exp, "0")
	if len(exp) > 18 {
		d.exp = sign + exp
		return d
	}
	n, _ := strconv.ParseInt(sign+"0"+exp, 10, 64)
	d.point += n
	return d
}

func (d decimal) equal(e decimal) bool {
	if d.neg != e.neg || d.digits != e.digits {
		return false
	}
	if d.exp == e.exp || len(d.exp) > maxExponent || len(e.exp) > maxExponent {
		return d.exp == e.exp && d.point == e.point
	}
	return d.bigPoint().Cmp(e.bigPoint()) == 0
}

func (d decimal) bigPoint() *big.Int {
	n := new(big.Int)
	if d.exp != "" {
		n.SetString(d.exp, 10)
	}
	return n.Add(n, big.NewInt(d.point))
}

// Int is the value of a number that is a whole number of 64 bits, by value: 1,
// 1.0 and 1e0 are the same.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v.Raw()), 10, 64); err == nil {
		return n, true
	}
	d := parseDecimal(v.Raw())
	if d.digits == "" {
		return 0, true
	}
	if d.exp != "" || d.point > 19 || d.point < int64(len(d.digits)) {
		return 0, false
	}
	text := d.digits + strings.Repeat("0", int(d.point)-len(d.digits))
	if d.neg {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// IsInteger reports whether the value is a whole number, by value and of any
// size.
func (v Value) IsInteger() bool {
	if v.Kind() != Number {
		return false
	}
	d := parseDecimal(v.Raw())
	if d.exp != "" {
		return d.exp[0] != '-'
	}
	return d.digits == "" || d.point >= int64(len(d.digits))
}

// exactDigits is the most significant digits that the value of any double has.
const exactDigits = 767

// Double reports whether a double holds this number: written with as many
// digits, the double is the number again. 0.1 is held, and so is
// 0.10000000000000001; 9007199254740993 and 1e400 are not.
func (v Value) Double() bool {
	if v.Kind() != Number {
		return false
	}
	raw := v.Raw()
	if len(raw) <= sureNumber { // 1e99, 1e-9
		return true
	}
	if len(raw) <= sureDigits && bytes.IndexByte(raw, 'e') < 0 && bytes.IndexByte(raw, 'E') < 0 {
		return true
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsInf(f, 0) {
		return false
	}
	var mine, its, other [64]byte
	digits := significant(mine[:0], raw)
	if f == 0 || len(digits) > exactDigits {
		return len(digits) == 0
	}
	// A double is near its number, so where the digits are the same their power
	// of ten is too.
	text := strconv.AppendFloat(its[:0], f, 'e', max(len(digits)-1, 0), 64)
	return string(digits) == string(significant(other[:0], text))
}

// significant appends the digits of a number without zeros at either end.
func significant(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case c == 'e' || c == 'E':
			return bytes.TrimRight(dst, "0")
		case c >= '1' && c <= '9', c == '0' && len(dst) > 0:
			dst = append(dst, c)
		}
	}
	return bytes.TrimRight(dst, "0")
}
