package inspect_test

import (
	"archive/tar"
	"bytes"
	"context"
	"testing"
	"time"

	"perch/engine/abi"
	"perch/samples/mischief"
)

// testContext is one for what all cases share.
func testContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Minute)
}

// packagePairs are the rules of the package around the module.
func packagePairs() []pair {
	manifests := func(text string) trial { return files(map[string]string{abi.ManifestFile: text}) }
	const file = abi.ManifestFile
	return []pair{
		{abi.PackageManifestMissing, caseOf("no_manifest"), manifests(manifest)},
		{abi.PackageManifestJSON, caseOf("manifest_comma"), manifests("{\n\t\"abi\": 1,\n\t\"name\": \"a,}\",\r\n\t\"description\": \"d,\"\n}\n")},
		{abi.PackageManifestABI, caseOf("abi_text"), manifests(`{"abi" : 1 , "name":"1","description":"2"}`)},
		{abi.PackageManifestName, caseOf("no_name"), manifests(`{"abi":1,"name":"n","description":"d"}`)},
		{abi.PackageManifestMember, caseOf("manifest_tools"), manifests(`{"description":"tools","name":"tools","abi":1}`)},
		{abi.PackageModuleMissing, caseOf("no_module"), manifests(manifest)},
		{abi.PackageArchive, caseOf("archive_parent"), trial{do: upload, open: func(t *testing.T) string {
			return archive(t, tarOf(t, map[string][]byte{
				"./a..b/" + abi.ModuleFile: mischief.Build(""), "./a..b/" + file: []byte(manifest), "./a..b/assets/..c": nil}))
		}}},
	}
}

// tarOf is an archive with these files, as tar cf package.tar ./a..b makes it.
func tarOf(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	archive := tar.NewWriter(&b)
	for name, data := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
