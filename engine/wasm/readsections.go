package wasm

import "strconv"

// quote is a name of the module in a text: escaped, and cut when it is long.
func quote(s string) string {
	const most = 80
	if short := shorten(s, most); len(short) < len(s) {
		return strconv.Quote(short) + "…"
	}
	return strconv.Quote(s)
}

// shorten cuts a text at a character, at most so many bytes in.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return s[:most]
}

func (m *Module) readTypes(c *cursor) {
	for range c.count(maxTypes, "types") {
		m.readType(c)
		if c.fault != nil {
			return
		}
	}
}

func (m *Module) readType(c *cursor) {
	start := c.pos
	if c.left() > 0 && c.b[c.pos] == 0x4e { // a recursion group (GC)
		c.pos++
		c.features.add(FeatGC, start, "a recursion group")
		for range c.count(maxTypes, "types of a group") {
			if m.subType(c); c.fault != nil {
				return
			}
		}
		return
	}
	m.subType(c)
}

func (m *Module) subType(c *cursor) {
	start := c.pos
	if c.left() > 0 && (c.b[c.pos] == 0x50 || c.b[c.pos] == 0x4f) { // a subtype (GC)
		c.pos++
		c.features.add(FeatGC, start, "a subtype")
		for range c.count(maxFields, "supertypes") {
			c.u32("a supertype")
		}
	}
	if len(m.Types) >= maxTypes {
		c.failAt(start, "more than %d types", maxTypes)
		return
	}
	t := Type{}
	form := c.pos
	switch b := c.byte("a type"); b {
	case 0x60:
		t.Func.Params = c.types(maxParams, "parameters")
		t.Func.Results = c.types(maxResults, "results")
		if len(t.Func.Results) > 1 {
			c.features.add(FeatMultiValue, start, "a function type with "+strconv.Itoa(len(t.Func.Results))+" results")
		}
	case 0x5f:
		t.Kind = TypeStruct
		c.features.add(FeatGC, start, "a struct type")
		for range c.count(maxFields, "fields") {
			c.field()
		}
	case 0x5e:
		t.Kind = TypeArray
		c.features.add(FeatGC, start, "an array type")
		c.field()
	case 0x5d:
		t.Kind = TypeCont
		c.features.add(FeatStackSwitching, start, "a continuation type")
		c.sleb(33, "a type")
	default:
		c.failAt(form, "byte 0x%02x begins no type, a function's begins with 0x60", b)
	}
	t.At = Span{start, c.pos}
	if c.fault == nil {
		m.Types = append(m.Types, t)
	}
}

func (c *cursor) types(limit int, what string) []ValType {
	n := c.count(limit, what)
	if n == 0 {
		return nil
	}
	ts := make([]ValType, 0, n)
	for range n {
		ts = append(ts, c.valType())
	}
	return ts
}

// field reads a field of a struct or array (GC).
func (c *cursor) field() {
	if c.left() > 0 && (c.b[c.pos] == 0x78 || c.b[c.pos] == 0x77) { // i8, i16
		c.pos++
	} else {
		c.valType()
	}
	c.flag("mutability")
}

func (c *cursor) flag(what string) bool {
	b := c.byte(what)
	if b > 1 {
		c.failAt(c.pos-1, "%s is 0 or 1, not %d", what, b)
	}
	return b == 1
}

func (m *Module) readImports(c *cursor) {
	for range c.count(maxImports, "imports") {
		m.readImport(c)
		if c.fault != nil {
			return
		}
	}
}

func (m *Module) readImport(c *cursor) {
	start := c.pos
	module := c.name("the module of an import")
	name := c.name("the name of an import")
	// Compact imports put one module name before many names; the mark is an
	// empty name with a kind of its own.
	if name == "" && c.left() > 0 && (c.b[c.pos] == 0x7f || c.b[c.pos] == 0x7e) {
		m.compactImports(c, module, start)
		return
	}
	m.addImport(c, Import{Module: module, Name: name}, start)
}

func (m *Module) compactImports(c *cursor, module string, start int) {
	c.features.add(FeatCompactImports, start, "compact imports")
	if c.byte("an import kind") == 0x7f {
		for range c.count(maxImports, "imports") {
			at := c.pos
			if m.addImport(c, Import{Module: module, Name: c.name("the name of an import")}, at); c.fault != nil {
				return
			}
		}
		return
	}
	from := c.pos
	m.addImport(c, Import{Module: module}, from) // the type that all share
	if c.fault != nil {
		return
	}
	shared := c.pos
	m.dropImport()
	for range c.count(maxImports, "imports") {
		at := c.pos
		name := c.name("the name of an import")
		after := c.pos
		if c.fault != nil {
			return
		}
		c.pos = from
		m.addImport(c, Import{Module: module, Name: name}, at)
		if c.fault != nil || c.pos != shared {
			return
		}
		c.pos = after
	}
}

// dropImport takes back the import added last.
func (m *Module) dropImport() {
	imp := m.Imports[len(m.Imports)-1]
	m.Imports = m.Imports[:len(m.Imports)-1]
	m.imported[imp.Kind]--
	switch imp.Kind {
	case ExternFunc:
		m.Funcs = m.Funcs[:len(m.Funcs)-1]
	case ExternTable:
		m.Tables = m.Tables[:len(m.Tables)-1]
	case ExternMemory:
		m.Memories = m.Memories[:len(m.Memories)-1]
	case ExternGlobal:
		m.Globals = m.Globals[:len(m.Globals)-1]
	case ExternTag:
		m.Tags = m.Tags[:len(m.Tags)-1]
	}
}

// addImport reads an import's kind and type.
func (m *Module) addImport(c *cursor, imp Import, start int) {
	if len(m.Imports) >= maxImports {
		c.failAt(start, "more than %d imports", maxImports)
		return
	}
	kindAt := c.pos
	imp.Kind = ExternKind(c.byte("the kind of an import"))
	if c.fault != nil {
		return
	}
	switch imp.Kind {
	case ExternFunc:
		imp.TypeIndex = c.index(len(m.Types), "type")
		imp.Index = uint32(len(m.Funcs))
		m.Funcs = append(m.Funcs, imp.TypeIndex)
	case ExternTable:
		imp.Index = uint32(len(m.Tables))
		m.Tables = append(m.Tables, c.table())
	case ExternMemory:
		imp.Index = uint32(len(m.Memories))
		m.addMemory(c)
	case ExternGlobal:
		imp.Index = uint32(len(m.Globals))
		m.Globals = append(m.Globals, c.global())
	case ExternTag:
		c.features.add(FeatExceptions, kindAt, "an imported tag")
		c.byte("the attribute of a tag")
		imp.TypeIndex = c.index(len(m.Types), "type")
		imp.Index = uint32(len(m.Tags))
		m.Tags = append(m.Tags, imp.TypeIndex)
	default:
		c.failAt(kindAt, "an import's kind is 0 to 3, not %d", imp.Kind)
		return
	}
	imp.At = Span{start, c.pos}
	m.imported[imp.Kind]++
	m.Imports = append(m.Imports, imp)
}

func (c *cursor) table() Table {
	start := c.pos
	var t Table
	if c.left() > 0 && ValType(c.b[c.pos]) == FuncRef { // the one type of 1.0
		c.pos++
		t.Type = FuncRef
	} else {
		t.Type = c.valType()
	}
	if c.fault == nil && !isRef(t.Type) {
		c.failAt(start, "a table holds references, not %s", t.Type)
	}
	t.Limits = c.limits("a table")
	t.At = Span{start, c.pos}
	return t
}

func isRef(t ValType) bool {
	switch t {
	case I32, I64, F32, F64, V128:
		return false
	}
	return true
}

func (m *Module) addMemory(c *cursor) {
	start := c.pos
	mem := Memory{Limits: c.limits("a memory")}
	if l := mem.Limits; c.fault == nil && !l.Is64 && l.PageLog < 0 && (l.Min > 1<<16 || l.Max > 1<<16) {
		c.failAt(start, "a memory has at most 65536 pages, this one says %d to %d", l.Min, max(l.Min, l.Max))
	}
	mem.At = Span{start, c.pos}
	m.Memories = append(m.Memories, mem)
	if len(m.Memories) == 2 {
		c.features.add(FeatMultiMemory, start, "a second memory")
	}
}

// limits reads the size of a memory or table. Flag 1 is a maximum; 2, 4 and 8
// are threads, memory64 and custom page sizes.
func (c *cursor) limits(what string) Limits {
	start := c.pos
	flags := c.byte("the limits of " + what)
	l := Limits{HasMax: flags&1 != 0, Shared: flags&2 != 0, Is64: flags&4 != 0, PageLog: -1}
	if flags > 15 {
		c.failAt(start, "the limits of %s have the flags 0x%02x", what, flags)
		return l
	}
	if l.Shared {
		c.features.add(FeatThreads, start, what+" is shared")
	}
	bits := uint(32)
	if l.Is64 {
		bits = 64
		c.features.add(FeatMemory64, start, what+" is 64-bit")
	}
	l.Min = c.uleb(bits, "the minimum of "+what)
	if l.HasMax {
		l.Max = c.uleb(bits, "the maximum of "+what)
		if c.fault == nil && l.Max < l.Min {
			c.failAt(start, "the maximum of %s, %d, is below its minimum, %d", what, l.Max, l.Min)
		}
	}
	if flags&8 != 0 {
		c.features.add(FeatCustomPageSizes, start, what+" has pages of its own size")
		l.PageLog = int(c.u32("the size of a page"))
	}
	return l
}

func (c *cursor) global() Global {
	start := c.pos
	g := Global{Type: c.valType(), Mutable: c.flag("mutability")}
	g.At = Span{start, c.pos}
	return g
}

func (m *Module) readFunctions(c *cursor) {
	n := c.count(maxFunctions, "functions")
	for range n {
		i := c.index(len(m.Types), "type")
		if c.fault != nil {
			return
		}
		m.Funcs = append(m.Funcs, i)
	}
}

func (m *Module) readTables(c *cursor) {
	for range c.count(maxTables, "tables") {
		m.readTable(c)
		if c.fault != nil {
			return
		}
	}
}

func (m *Module) readTable(c *cursor) {
	start := c.pos
	if c.left() > 1 && c.b[c.pos] == 0x40 && c.b[c.pos+1] == 0 { // with an initialiser
		c.pos += 2
		c.features.add(FeatFunctionReferences, start, "a table with an initial value")
		t := c.table()
		t.Init = m.constExpr(c, t.Type, "a table's entries")
		m.Tables = append(m.Tables, t)
		return
	}
	m.Tables = append(m.Tables, c.table())
	if len(m.Tables) == 2 {
		c.features.add(FeatReferenceTypes, start, "a second table")
	}
}

func (m *Module) readMemories(c *cursor) {
	for range c.count(maxMemories, "memories") {
		if m.addMemory(c); c.fault != nil {
			return
		}
	}
}

func (m *Module) readTags(c *cursor) {
	c.features.add(FeatExceptions, c.pos, "a tag section")
	for range c.count(maxTags, "tags") {
		c.byte("the attribute of a tag")
		i := c.index(len(m.Types), "type")
		if c.fault != nil {
			return
		}
		m.Tags = append(m.Tags, i)
	}
}

func (m *Module) readGlobals(c *cursor) {
	for range c.count(maxGlobals, "globals") {
		g := c.global()
		g.Init = m.constExpr(c, g.Type, "the global")
		g.At.End = c.pos
		if c.fault != nil {
			return
		}
		m.Globals = append(m.Globals, g)
	}
}

func (m *Module) readExports(c *cursor) {
	for range c.count(maxExports, "exports") {
		e := Export{}
		start := c.pos
		e.Name = c.name("the name of an export")
		kindAt := c.pos
		e.Kind = ExternKind(c.byte("the kind of an export"))
		e.Index = c.u32("the index of an export")
		e.At = Span{start, c.pos}
		if c.fault == nil && e.Kind > ExternTag {
			c.failAt(kindAt, "an export's kind is 0 to 3, not %d", e.Kind)
		}
		if c.fault != nil {
			return
		}
		switch {
		case e.Kind == ExternTag:
			c.features.add(FeatExceptions, kindAt, "an exported tag")
		case e.Kind == ExternGlobal && uint64(e.Index) < uint64(len(m.Globals)) && m.Globals[e.Index].Mutable:
			c.features.add(FeatMutableGlobals, kindAt, "an exported mutable global")
		}
		m.Exports = append(m.Exports, e)
	}
}

func (m *Module) readStart(c *cursor) {
	start := c.pos
	i := c.u32("the start function")
	if c.fault == nil {
		m.Start, m.StartAt = &i, Span{start, c.pos}
	}
}

func (m *Module) readCode(c *cursor) {
	n := c.count(maxFunctions, "function bodies")
	m.Code = make([]Code, 0, n)
	locals := uint64(0)
	for i := range n {
		start := c.pos
		size := c.u32("the size of a function body")
		body := c.skip(uint64(size), "a function body")
		if c.fault == nil && size > maxBody {
			c.failAt(start, "a function body of %d bytes is more than the %d that engines take", size, maxBody)
		}
		if c.fault != nil {
			c.fault.Func = m.ImportedFuncs() + i
			return
		}
		code := Code{At: Span{start, c.pos}, Locals: body, Expr: Span{body.End, body.End}}
		d := cursor{b: m.Bytes[:body.End], pos: body.Start}
		locals += skipLocals(&d)
		if d.fault == nil && locals > maxAllLocals {
			d.failAt(body.Start, "%d locals in all are more than the %d that we take", locals, maxAllLocals)
		}
		if d.fault != nil {
			d.fault.Func = m.ImportedFuncs() + i
			m.addFault("code", d.fault)
			code.broken = true
		} else {
			code.Locals.End, code.Expr = d.pos, Span{d.pos, body.End}
		}
		m.Code = append(m.Code, code)
	}
}

// skipLocals reads the declarations of locals and counts them.
func skipLocals(d *cursor) (total uint64) {
	for range d.count(maxLocals, "groups of locals") {
		start := d.pos
		total += uint64(d.u32("a number of locals"))
		d.valType()
		if d.fault == nil && total > maxLocals {
			d.failAt(start, "%d locals are more than the %d that engines take", total, maxLocals)
		}
		if d.fault != nil {
			break
		}
	}
	return total
}

func (m *Module) readData(c *cursor) {
	for range c.count(maxData, "data segments") {
		s := Data{}
		start := c.pos
		switch flags := c.u32("the flags of a data segment"); flags {
		case 0, 2:
			if flags == 2 {
				s.Memory = c.index(len(m.Memories), "memory")
				if s.Memory > 0 {
					c.features.add(FeatMultiMemory, start, "a data segment with a memory index")
				}
			}
			s.Offset = m.constExpr(c, I32, "a data segment's offset")
		case 1:
			s.Mode = Passive
			c.features.add(FeatBulkMemory, start, "a passive data segment")
		default:
			c.failAt(start, "the flags of a data segment are 0 to 2, not %d", flags)
		}
		n := c.u32("the length of a data segment")
		s.Bytes = c.skip(uint64(n), "a data segment")
		s.At = Span{start, c.pos}
		if c.fault != nil {
			return
		}
		if s.Mode == Active && len(m.Memories) == 0 {
			c.failAt(start, "an active data segment needs a memory: there are none")
			return
		}
		m.Data = append(m.Data, s)
	}
}
