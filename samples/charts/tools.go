//go:build wasip1

package main

import (
	"strconv"
	"syscall"
)

// chartFile is where each chart is saved, and chartLink the same for the host.
const (
	chartFile = "/volume/tmp/chart.png"
	chartLink = "volume:///tmp/chart.png"
)

// Parts of the schemas.
const (
	points = `"points":{"type":"array","items":{"type":"number"},"minItems":1,"maxItems":100}`
	look   = `"theme":{"type":"string","enum":["dark","light"],"default":"dark"},"title":{"type":["string","null"]}`
	output = `"outputSchema":{"type":"object","properties":{"points":{"type":"integer"}},"required":["points"]}`
)

const list = `{"resultType":"complete","tools":[` +
	`{"name":"bar","description":"Draw a bar chart of points as a PNG.",` +
	`"inputSchema":{"type":"object","properties":{` + points + `,` + look + `},"required":["points"]},` + output + `},` +
	`{"name":"line","description":"Draw a line chart of points as a PNG.",` +
	`"inputSchema":{"type":"object","properties":{` + points + `,` + look + `},"required":["points"]},` + output + `},` +
	`{"name":"pie","description":"Draw a pie chart of named shares as a PNG.",` +
	`"inputSchema":{"type":"object","properties":{"shares":{"type":"array","minItems":1,"maxItems":12,"items":{"type":"object",` +
	`"properties":{"label":{"type":"string"},"value":{"type":"number","minimum":0}},"required":["label","value"]}},` + look + `},` +
	`"required":["shares"]},` + output + `}` +
	`],"ttlMs":3600000,"cacheScope":"public"}`

// failure is what the model reads when a chart cannot be drawn.
type failure string

func call(name string, arguments value) string {
	if arguments.raw == "" {
		arguments.raw = "{}"
	}
	if !arguments.isObject() {
		return failed("arguments must be an object")
	}
	var c *canvas
	var n int
	var why failure
	switch name {
	case "bar", "line":
		c, n, why = pointChart(name, arguments)
	case "pie":
		c, n, why = pieChart(arguments)
	default:
		return `"error":{"code":-32602,"message":"there is no such tool"}`
	}
	if why != "" {
		return failed(why)
	}
	return drawn(c.png(), n)
}

func failed(why failure) string {
	return `"result":{"resultType":"complete","content":[{"type":"text","text":` + quote(string(why)) + `}],"isError":true}`
}

// drawn answers with the image, and with a link to it where it could be saved.
func drawn(png []byte, n int) string {
	count := `{"points":` + strconv.Itoa(n) + `}`
	content := `{"type":"text","text":` + quote(count) + `},` +
		`{"type":"image","mimeType":"image/png","data":"` + base64(png) + `"}`
	if err := save(png); err != nil {
		logLine(chartFile + ": " + err.Error() + "; the image is in the answer alone")
	} else {
		content += `,{"type":"resource_link","uri":"` + chartLink + `","name":"chart.png","mimeType":"image/png","size":` + strconv.Itoa(len(png)) + `}`
	}
	return `"result":{"resultType":"complete","content":[` + content + `],"structuredContent":` + count + `}`
}

func save(png []byte) error {
	fd, err := syscall.Open(chartFile, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	for len(png) > 0 {
		n, err := syscall.Write(fd, png)
		if err != nil {
			syscall.Close(fd)
			return err
		}
		png = png[n:]
	}
	return syscall.Close(fd)
}

func pointChart(name string, arguments value) (*canvas, int, failure) {
	given := arguments.get("points")
	if !given.isList() || len(given.list) < 1 || len(given.list) > 100 {
		return nil, 0, "points must be a list of 1 to 100 numbers"
	}
	var values []float64
	for i, v := range given.list {
		f, ok := number(v)
		if !ok {
			return nil, 0, failure("points[" + strconv.Itoa(i) + "] must be a number that a double can hold")
		}
		values = append(values, f)
	}
	c, why := newCanvas(arguments)
	if why != "" {
		return nil, 0, why
	}
	logLine(strconv.Itoa(len(values)) + " points")
	if name == "bar" {
		c.bars(values)
	} else {
		c.curve(values)
	}
	return c, len(values), ""
}

func pieChart(arguments value) (*canvas, int, failure) {
	given := arguments.get("shares")
	if !given.isList() || len(given.list) < 1 || len(given.list) > 12 {
		return nil, 0, "shares must be a list of 1 to 12 objects"
	}
	var shares []share
	total := 0.0
	for i, v := range given.list {
		f, ok := number(v.get("value"))
		label := v.get("label")
		if !ok || f < 0 || !label.isText() {
			return nil, 0, failure("shares[" + strconv.Itoa(i) + "] must have a label and a value of at least 0")
		}
		shares = append(shares, share{label.text, f})
		total += f
	}
	if total <= 0 || total > 1e300 {
		return nil, 0, "the values of shares must add up to more than 0, and to no more than 1e300"
	}
	c, why := newCanvas(arguments)
	if why != "" {
		return nil, 0, why
	}
	logLine(strconv.Itoa(len(shares)) + " shares")
	c.pie(shares, total)
	return c, len(shares), ""
}

// number is a finite number no larger than what charts can add and scale.
func number(v value) (float64, bool) {
	if c := v.kind(); c != '-' && (c < '0' || c > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.raw, 64)
	return f, err == nil && f < 1e300 && f > -1e300
}

func newCanvas(arguments value) (*canvas, failure) {
	theme, title := arguments.get("theme"), arguments.get("title")
	if theme.raw != "" && theme.text != "dark" && theme.text != "light" {
		return nil, "theme must be dark or light"
	}
	if title.raw != "" && !title.isText() && !title.isNull() {
		return nil, "title must be a string or null"
	}
	name := "dark"
	if theme.raw != "" {
		name = theme.text
	}
	logLine("theme " + name)
	c := blank(name == "light")
	c.label(title.text, width/2-textWidth(title.text, 3)/2, 14, 3, inkText)
	return c, ""
}

func base64(b []byte) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	out := make([]byte, 0, (len(b)+2)/3*4)
	for i := 0; i < len(b); i += 3 {
		group := [4]byte{'=', '=', '=', '='}
		var bits uint32
		n := min(3, len(b)-i)
		for j := range 3 {
			bits <<= 8
			if j < n {
				bits |= uint32(b[i+j])
			}
		}
		for j := range n + 1 {
			group[j] = letters[bits>>(18-6*j)&63]
		}
		out = append(out, group[:]...)
	}
	return string(out)
}
