package wasm

import "perch/engine/abi"

// Feature is a part of WebAssembly that a module may or may not use.
type Feature uint8

// The features: first what belongs to WebAssembly 2.0 without GC, which the
// ABI page allows (The module, Features), then what it does not.
const (
	FeatMVP Feature = iota
	FeatMutableGlobals
	FeatSignExtension
	FeatSatFloatToInt
	FeatMultiValue
	FeatBulkMemory
	FeatReferenceTypes
	FeatSIMD

	FeatThreads
	FeatExceptions
	FeatLegacyExceptions
	FeatTailCall
	FeatMemory64
	FeatMultiMemory
	FeatRelaxedSIMD
	FeatGC
	FeatFunctionReferences
	FeatExtendedConst
	FeatCustomPageSizes
	FeatCompactImports
	FeatWideArithmetic
	FeatStackSwitching
	FeatMemoryControl
	FeatHalfPrecision

	featureCount
)

// String is the feature's name, as the ABI page or its proposal calls it.
func (f Feature) String() string {
	names := [featureCount]string{
		"WebAssembly 1.0", "mutable globals", "sign extension", "non-trapping float-to-int", "multi-value",
		"bulk memory", "reference types", "128-bit SIMD",
		"threads and shared memory", "exceptions", "exceptions, the old encoding", "tail calls", "memory64",
		"multi-memory", "relaxed SIMD", "garbage collection", "typed function references",
		"extended constant expressions", "custom page sizes", "compact imports", "wide arithmetic",
		"stack switching", "memory control", "half precision floats",
	}
	if f < featureCount {
		return names[f]
	}
	return "unknown"
}

// Allowed reports whether the ABI page allows the feature.
func (f Feature) Allowed() bool { return f <= FeatSIMD }

// Rule is the rule that a use of the feature breaks, empty when it is allowed.
func (f Feature) Rule() abi.RuleID {
	switch f {
	case FeatThreads:
		return abi.ModuleFeatureThreads
	case FeatExceptions, FeatLegacyExceptions:
		return abi.ModuleFeatureExceptions
	case FeatTailCall:
		return abi.ModuleFeatureTailCall
	case FeatMemory64:
		return abi.ModuleFeatureMemory64
	case FeatMultiMemory:
		return abi.ModuleFeatureMultiMemory
	case FeatRelaxedSIMD:
		return abi.ModuleFeatureRelaxedSIMD
	case FeatGC:
		return abi.ModuleFeatureGC
	case FeatFunctionReferences:
		return abi.ModuleFeatureFunctionReferences
	}
	if f.Allowed() {
		return ""
	}
	return abi.ModuleFeatureOther
}

// Place is where a feature is met first.
type Place struct {
	Section string
	Func    int // function index, -1: none
	Offset  int // in the module
	What    string
}

// featureUses counts uses of each feature and keeps the first place of each.
type featureUses struct {
	count [featureCount]int
	funcs [featureCount]int // functions with a use in their body
	last  [featureCount]int // the function counted last, plus one
	first [featureCount]Place
	whats [featureCount][]string // the first few different things met

	section string // where the reader is
	fn      int
}

// whatsMax is how many different instructions a feature's breach names.
const whatsMax = 6

func (u *featureUses) add(f Feature, offset int, what string) {
	if u == nil {
		return
	}
	if u.count[f] == 0 {
		u.first[f] = Place{u.section, u.fn, offset, what}
	}
	u.count[f]++
	if u.fn >= 0 && u.last[f] != u.fn+1 {
		u.last[f] = u.fn + 1
		u.funcs[f]++
	}
	if len(u.whats[f]) < whatsMax {
		for _, w := range u.whats[f] {
			if w == what {
				return
			}
		}
		u.whats[f] = append(u.whats[f], what)
	}
}
