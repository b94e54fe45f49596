package wasi

import "sync"

// Value types of parameters, as WebAssembly encodes them.
const (
	I32 byte = 0x7f
	I64 byte = 0x7e
)

// Kind says what a parameter means, for those who show it.
type Kind uint8

// The kinds of parameters.
const (
	Number   Kind = iota // a count, an offset, a cookie, a time
	Handle               // a file descriptor
	Pointer              // where bytes, a list or a record are in the guest's memory
	Length               // the length of what the pointer before points at, in bytes or items
	Path                 // a pointer to a path, its Length follows
	Flags                // a set of bits
	Choice               // one of a list
	OutPoint             // where results are written
)

// Param is one parameter of a function.
type Param struct {
	Name string
	Type byte // I32 or I64
	Kind Kind
}

// Func is one function of wasi_snapshot_preview1.
type Func struct {
	Name   string
	Params []Param
	// Errno is whether it returns an i32 error number; proc_exit alone
	// returns nothing.
	Errno bool
	// Outs names the values of event.WASI.Out, in their order. They are there
	// after a success alone.
	Outs []string

	call func(*call) Errno
}

// Functions returns the table of all 46 functions, in the order of the
// standard. It is shared: do not change it.
func Functions() []Func { return table() }

// Lookup returns the function of that name, or nil.
func Lookup(name string) *Func {
	t := table()
	for i := range t {
		if t[i].Name == name {
			return &t[i]
		}
	}
	return nil
}

var table = sync.OnceValue(func() []Func {
	var all []Func
	for _, part := range [][]Func{processFuncs(), fdFuncs(), pathFuncs(), otherFuncs()} {
		all = append(all, part...)
	}
	return all
})

func num32(name string) Param  { return Param{name, I32, Number} }
func num64(name string) Param  { return Param{name, I64, Number} }
func handle(name string) Param { return Param{name, I32, Handle} }
func ptr(name string) Param    { return Param{name, I32, Pointer} }
func length(name string) Param { return Param{name, I32, Length} }
func pathAt(name string) Param { return Param{name, I32, Path} }
func flags(name string) Param  { return Param{name, I32, Flags} }
func rights(name string) Param { return Param{name, I64, Flags} }
func choice(name string) Param { return Param{name, I32, Choice} }
func out(name string) Param    { return Param{name, I32, OutPoint} }

// fn makes one row; results names what is written through its OutPoints.
func fn(name string, call func(*call) Errno, results []string, params ...Param) Func {
	return Func{Name: name, Params: params, Errno: name != "proc_exit", Outs: results, call: call}
}

func one(name string) []string { return []string{name} }

func filestatFields() []string {
	return []string{"dev", "ino", "filetype", "nlink", "size", "atim", "mtim", "ctim"}
}

func processFuncs() []Func {
	return []Func{
		fn("args_get", (*call).argsGet, nil, ptr("argv"), ptr("argv_buf")),
		fn("args_sizes_get", (*call).argsSizesGet, []string{"argc", "argv_buf_size"}, out("argc"), out("argv_buf_size")),
		fn("environ_get", (*call).environGet, nil, ptr("environ"), ptr("environ_buf")),
		fn("environ_sizes_get", (*call).environSizesGet, []string{"environc", "environ_buf_size"}, out("environc"), out("environ_buf_size")),
		fn("clock_res_get", (*call).clockResGet, one("resolution"), choice("id"), out("resolution")),
		fn("clock_time_get", (*call).clockTimeGet, one("time"), choice("id"), num64("precision"), out("time")),
	}
}

func fdFuncs() []Func {
	return []Func{
		fn("fd_advise", (*call).fdAdvise, nil, handle("fd"), num64("offset"), num64("len"), choice("advice")),
		fn("fd_allocate", (*call).fdAllocate, nil, handle("fd"), num64("offset"), num64("len")),
		fn("fd_close", (*call).fdClose, nil, handle("fd")),
		fn("fd_datasync", (*call).fdSync, nil, handle("fd")),
		fn("fd_fdstat_get", (*call).fdFdstatGet, []string{"filetype", "flags", "rights_base", "rights_inheriting"}, handle("fd"), out("stat")),
		fn("fd_fdstat_set_flags", (*call).fdFdstatSetFlags, nil, handle("fd"), flags("flags")),
		fn("fd_fdstat_set_rights", (*call).fdFdstatSetRights, nil, handle("fd"), rights("fs_rights_base"), rights("fs_rights_inheriting")),
		fn("fd_filestat_get", (*call).fdFilestatGet, filestatFields(), handle("fd"), out("buf")),
		fn("fd_filestat_set_size", (*call).fdFilestatSetSize, nil, handle("fd"), num64("size")),
		fn("fd_filestat_set_times", (*call).fdFilestatSetTimes, nil, handle("fd"), num64("atim"), num64("mtim"), flags("fst_flags")),
		fn("fd_pread", (*call).fdPread, one("nread"), handle("fd"), ptr("iovs"), length("iovs_len"), num64("offset"), out("nread")),
		fn("fd_prestat_get", (*call).fdPrestatGet, one("pr_name_len"), handle("fd"), out("buf")),
		fn("fd_prestat_dir_name", (*call).fdPrestatDirName, nil, handle("fd"), ptr("path"), length("path_len")),
		fn("fd_pwrite", (*call).fdPwrite, one("nwritten"), handle("fd"), ptr("iovs"), length("iovs_len"), num64("offset"), out("nwritten")),
		fn("fd_read", (*call).fdRead, one("nread"), handle("fd"), ptr("iovs"), length("iovs_len"), out("nread")),
		fn("fd_readdir", (*call).fdReaddir, one("bufused"), handle("fd"), ptr("buf"), length("buf_len"), num64("cookie"), out("bufused")),
		fn("fd_renumber", (*call).fdRenumber, nil, handle("fd"), handle("to")),
		fn("fd_seek", (*call).fdSeek, one("newoffset"), handle("fd"), num64("offset"), choice("whence"), out("newoffset")),
		fn("fd_sync", (*call).fdSync, nil, handle("fd")),
		fn("fd_tell", (*call).fdTell, one("offset"), handle("fd"), out("offset")),
		fn("fd_write", (*call).fdWrite, one("nwritten"), handle("fd"), ptr("iovs"), length("iovs_len"), out("nwritten")),
	}
}

func pathFuncs() []Func {
	return []Func{
		fn("path_create_directory", (*call).pathCreateDirectory, nil, handle("fd"), pathAt("path"), length("path_len")),
		fn("path_filestat_get", (*call).pathFilestatGet, filestatFields(), handle("fd"), flags("flags"), pathAt("path"), length("path_len"), out("buf")),
		fn("path_filestat_set_times", (*call).pathFilestatSetTimes, nil, handle("fd"), flags("flags"), pathAt("path"), length("path_len"), num64("atim"), num64("mtim"), flags("fst_flags")),
		fn("path_link", (*call).pathLink, nil, handle("old_fd"), flags("old_flags"), pathAt("old_path"), length("old_path_len"), handle("new_fd"), pathAt("new_path"), length("new_path_len")),
		fn("path_open", (*call).pathOpen, one("opened_fd"), handle("fd"), flags("dirflags"), pathAt("path"), length("path_len"), flags("oflags"), rights("fs_rights_base"), rights("fs_rights_inheriting"), flags("fdflags"), out("opened_fd")),
		fn("path_readlink", (*call).pathReadlink, one("bufused"), handle("fd"), pathAt("path"), length("path_len"), ptr("buf"), length("buf_len"), out("bufused")),
		fn("path_remove_directory", (*call).pathRemoveDirectory, nil, handle("fd"), pathAt("path"), length("path_len")),
		fn("path_rename", (*call).pathRename, nil, handle("fd"), pathAt("old_path"), length("old_path_len"), handle("new_fd"), pathAt("new_path"), length("new_path_len")),
		fn("path_symlink", (*call).pathSymlink, nil, pathAt("old_path"), length("old_path_len"), handle("fd"), pathAt("new_path"), length("new_path_len")),
		fn("path_unlink_file", (*call).pathUnlinkFile, nil, handle("fd"), pathAt("path"), length("path_len")),
	}
}

func otherFuncs() []Func {
	return []Func{
		fn("poll_oneoff", (*call).pollOneoff, one("nevents"), ptr("in"), ptr("out"), num32("nsubscriptions"), out("nevents")),
		fn("proc_exit", (*call).procExit, nil, num32("rval")),
		fn("proc_raise", (*call).procRaise, nil, choice("sig")),
		fn("sched_yield", (*call).schedYield, nil),
		fn("random_get", (*call).randomGet, nil, ptr("buf"), length("buf_len")),
		fn("sock_accept", (*call).sockAccept, one("fd"), handle("fd"), flags("flags"), out("fd_out")),
		fn("sock_recv", (*call).sockRecv, []string{"ro_datalen", "ro_flags"}, handle("fd"), ptr("ri_data"), length("ri_data_len"), flags("ri_flags"), out("ro_datalen"), out("ro_flags")),
		fn("sock_send", (*call).sockSend, one("so_datalen"), handle("fd"), ptr("si_data"), length("si_data_len"), flags("si_flags"), out("so_datalen")),
		fn("sock_shutdown", (*call).sockShutdown, nil, handle("fd"), flags("how")),
	}
}
