package list

// Do does what a command of the app means in any list, by its id; false when
// it means nothing here. follows says that the last row is the end of a stream,
// which the list then follows.
func (l *List) Do(id string, follows bool) bool {
	switch id {
	case "nav.up":
		l.Move(-1)
	case "nav.down":
		l.Move(1)
	case "nav.top":
		l.Top()
	case "nav.bottom":
		l.Bottom(follows)
	case "nav.page_up":
		l.Page(-1)
	case "nav.page_down":
		l.Page(1)
	case "nav.half_up":
		l.HalfPage(-1)
	case "nav.half_down":
		l.HalfPage(1)
	case "text.wrap":
		l.Wrap(!l.Wrapping())
	case "text.left":
		l.Sideways(-1)
	case "text.right":
		l.Sideways(1)
	default:
		return false
	}
	return true
}
