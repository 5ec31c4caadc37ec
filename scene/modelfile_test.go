package scene

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/g3n/engine/gls"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/internal/gltffile"
)

// tetrahedron is the data of a model's buffer: four points, then four triangles of 16 bit each.
func tetrahedron() (data []byte) {
	for _, v := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, i := range []uint16{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3} {
		data = binary.LittleEndian.AppendUint16(data, i)
	}
	return data
}

// modelText is a model of a tetrahedron, some of whose parts are given.
func modelText(parts map[string]string) string {
	all := map[string]string{
		"asset":       `{"version": "2.0"}`,
		"nodes":       `[{"mesh": 0}]`,
		"scenes":      `[{"nodes": [0]}]`,
		"meshes":      `[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]`,
		"accessors":   `[{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}, {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]`,
		"bufferViews": `[{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]`,
		"buffers":     `[{"byteLength": 72, "uri": "data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString(tetrahedron()) + `"}]`,
	}
	maps.Copy(all, parts)
	raw := map[string]json.RawMessage{}
	for k, v := range all {
		raw[k] = json.RawMessage(v)
	}
	text, err := json.Marshal(raw)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// modelFile writes a model, with other files beside it, and returns its path.
func modelFile(t testing.TB, text string, others map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "models")
	others = maps.Clone(others)
	if others == nil {
		others = map[string][]byte{}
	}
	others["model.gltf"] = []byte(text)
	for name, data := range others {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "model.gltf")
}

func TestLoadModel(t *testing.T) {
	interleaved := make([]byte, 4*24+24)
	for i := range 4 {
		copy(interleaved[24*i:], tetrahedron()[12*i:12*i+12])
		binary.LittleEndian.PutUint32(interleaved[24*i+12:], math.Float32bits(1)) // a normal along x
	}
	copy(interleaved[96:], tetrahedron()[48:])
	glb := func() []byte {
		files := fstest.MapFS{"m": {Data: []byte(modelText(nil))}}
		file, err := gltffile.Read(files, "m")
		if err != nil {
			t.Fatal(err)
		}
		return file
	}()
	for name, c := range map[string]struct {
		text   string
		others map[string][]byte
	}{
		"data in itself": {modelText(nil), nil},
		"binary":         {string(glb), nil},
		"a file":         {modelText(map[string]string{"buffers": `[{"byteLength": 72, "uri": "a%20b/c.bin"}]`}), map[string][]byte{"a b/c.bin": append(tetrahedron(), 0, 0, 0)}},
		"no scene":       {modelText(map[string]string{"scenes": `[]`, "nodes": `[{"children": [1]}, {"mesh": 0}]`}), nil},
		"interleaved": {modelText(map[string]string{
			"meshes":      `[{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 2, "_OWN": 7}, "indices": 1}]}]`,
			"accessors":   `[{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}, {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}, {"bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC3"}]`,
			"bufferViews": `[{"buffer": 0, "byteLength": 96, "byteStride": 24}, {"buffer": 0, "byteOffset": 96, "byteLength": 24}]`,
			"buffers":     `[{"byteLength": 120, "uri": "i.bin"}]`,
		}), map[string][]byte{"i.bin": interleaved}},
		"sparse": {modelText(map[string]string{ // from zeros, all but the first point
			"accessors": `[{"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {"count": 3, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 0, "byteOffset": 12}}},
				{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]`,
			"bufferViews": `[{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}, {"buffer": 1, "byteLength": 3}]`,
			"buffers":     `[{"byteLength": 72, "uri": "t.bin"}, {"byteLength": 3, "uri": "data:;base64,AQID"}]`,
		}), map[string][]byte{"t.bin": tetrahedron()}},
	} {
		path := modelFile(t, c.text, c.others)
		if err := CheckModel(path); err != nil {
			t.Errorf("%s: CheckModel: %v", name, err)
		}
		node, err := LoadModel(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := NewModelBody(physics.NewWorld(physics.WorldDef{}), node, ModelOptions{Body: physics.BodyDef{Kind: physics.Dynamic}})
		if err != nil || math.Abs(b.Mass()-1000./6) > .1 || !near(b.CentreOfMass(), r3.Vec{X: .25, Y: .25, Z: .25}) {
			t.Errorf("%s: %v, a body of %.1f kg about %v", name, err, b.Mass(), b.CentreOfMass())
		}
		if name == "interleaved" {
			if n := meshesOf(node)[0].GetGeometry().VBO(gls.VertexNormal); n == nil || len(*n.Buffer()) != 12 || (*n.Buffer())[9] != 1 {
				t.Error("the normals are not what they were")
			}
		}
	}
}

// Models that lie are refused before the loader sees them, by name.
func TestLyingModels(t *testing.T) {
	accessors := func(position, index string) map[string]string {
		return map[string]string{"accessors": `[` + position + `, ` + index + `]`}
	}
	const position = `{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}`
	const index = `{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}`
	buffer := func(uri string) map[string]string {
		return map[string]string{"buffers": fmt.Sprintf(`[{"byteLength": 72, "uri": %q}]`, uri)}
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(picture.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 1<<20) // wide; the checksum is wrong, which is found later
	for name, c := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"long accessor":   {accessors(`{"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"}`, index), "accessor 0: its 5 values need 60 bytes of bufferView 0, which has 48"},
		"huge accessor":   {accessors(`{"bufferView": 0, "componentType": 5126, "count": 300000000, "type": "VEC3"}`, index), "accessor 0: count"},
		"no values":       {accessors(`{"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3"}`, index), "accessor 0: count"},
		"offset":          {accessors(`{"bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 4, "type": "VEC3"}`, index), "accessor 0"},
		"negative offset": {accessors(`{"bufferView": 0, "byteOffset": -4, "componentType": 5126, "count": 4, "type": "VEC3"}`, index), "accessor 0: byteOffset"},
		"crooked offset":  {accessors(`{"bufferView": 0, "byteOffset": 2, "componentType": 5126, "count": 3, "type": "VEC3"}`, index), "multiple of 4"},
		"component type":  {accessors(`{"bufferView": 0, "componentType": 5124, "count": 4, "type": "VEC3"}`, index), "componentType is 5124"},
		"type":            {accessors(`{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC9"}`, index), `"VEC9"`},
		"wrong type":      {accessors(`{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC2"}`, index), "POSITION: accessor 0 is of type VEC2"},
		"fewer vertices":  {accessors(`{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}`, index), "mesh 0: primitive 0: index 5 of accessor 1 is 3; there are 3"},
		"long indices":    {accessors(position, `{"bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR"}`), "accessor 1: its 12 values need 48 bytes"},
		"signed indices":  {accessors(position, `{"bufferView": 1, "componentType": 5122, "count": 12, "type": "SCALAR"}`), "indices: accessor 1"},
		"no view":         {accessors(`{"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC3"}`, index), "bufferView 2: there are 2"},
		"negative view":   {accessors(`{"bufferView": -1, "componentType": 5126, "count": 4, "type": "VEC3"}`, index), "bufferView -1"},
		"sparse index":    {accessors(`{"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {"count": 2, "indices": {"bufferView": 1, "byteOffset": 2, "componentType": 5123}, "values": {"bufferView": 0}}}`, index), "sparse.indices: number 1 is 1"},
		"sparse values":   {accessors(`{"componentType": 5126, "count": 40, "type": "VEC3", "sparse": {"count": 5, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}}`, index), "sparse.values"},
		"long view":       {map[string]string{"bufferViews": `[{"buffer": 0, "byteLength": 73}, {"buffer": 0, "byteLength": 24}]`}, "bufferView 0: byteOffset 0 and byteLength 73 lie outside of buffer 0"},
		"view beyond":     {map[string]string{"bufferViews": `[{"buffer": 0, "byteOffset": 9223372036854775807, "byteLength": 48}, {"buffer": 0, "byteLength": 24}]`}, "bufferView 0"},
		"stride":          {map[string]string{"bufferViews": `[{"buffer": 0, "byteLength": 48, "byteStride": 8}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]`}, "byteStride is 8"},
		"wide stride":     {map[string]string{"bufferViews": `[{"buffer": 0, "byteLength": 48, "byteStride": 16}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]`}, "accessor 0: its 4 values need 60"},
		"no buffer":       {map[string]string{"buffers": `[]`}, "buffer 0: there are 0"},
		"short buffer":    {map[string]string{"buffers": `[{"byteLength": 72, "uri": "data:;base64,AQID"}]`}, "buffer 0: byteLength is 72; there are 3 bytes"},
		"no uri":          {map[string]string{"buffers": `[{"byteLength": 72}]`}, "buffer 0: it has no uri"},
		"up":              {buffer("../secret.bin"), `must not leave`},
		"up, escaped":     {buffer("%2e%2e/secret.bin"), `must not leave`},
		"up from below":   {buffer("a/../../secret.bin"), `must not leave`},
		"absolute":        {buffer("/etc/hostname"), "absolute"},
		"scheme":          {buffer("file:///etc/hostname"), "scheme"},
		"drive":           {buffer(`C:\secret.bin`), "drive"},
		"a link":          {buffer("link.bin"), "buffer 0"},
		"image up":        {map[string]string{"images": `[{"uri": "../secret.png"}]`}, "image 0"},
		"no image":        {map[string]string{"images": `[{"uri": "data:;base64,AQID"}]`}, "image 0"},
		"huge image":      {map[string]string{"images": `[{"uri": "data:;base64,` + base64.StdEncoding.EncodeToString(huge) + `"}]`}, "image 0"},
		"texture":         {map[string]string{"textures": `[{"source": 3}]`}, "texture 0: image 3"},
		"own child":       {map[string]string{"nodes": `[{"mesh": 0}, {"children": [1]}]`}, "node 1: it is its own ancestor"},
		"ring":            {map[string]string{"nodes": `[{"mesh": 0}, {"children": [2]}, {"children": [1]}]`}, "its own ancestor"},
		"two parents":     {map[string]string{"nodes": `[{"children": [2]}, {"children": [2]}, {"mesh": 0}]`}, "node 2: it is a child of node 0 and of node 1"},
		"no child":        {map[string]string{"nodes": `[{"children": [5]}]`}, "node 0: child 5"},
		"no mesh":         {map[string]string{"nodes": `[{"mesh": 4}]`}, "node 0: mesh 4"},
		"scene":           {map[string]string{"scene": `7`}, "scene 7"},
		"no accessor":     {map[string]string{"meshes": `[{"primitives": [{"attributes": {"POSITION": 9}}]}]`}, "mesh 0: primitive 0: POSITION: accessor 9"},
		"no position":     {map[string]string{"meshes": `[{"primitives": [{"attributes": {}}]}]`}, "no attribute POSITION"},
		"target":          {map[string]string{"meshes": `[{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"NORMAL": 1}]}]}]`}, "NORMAL: accessor 1"},
		"joint": {map[string]string{"nodes": `[{"mesh": 0, "skin": 0}]`, "skins": `[{"joints": [0], "inverseBindMatrices": 3}]`,
			"meshes": `[{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 4}, "indices": 1}]}]`,
			"accessors": `[` + position + `, ` + index + `, {"bufferView": 1, "componentType": 5121, "count": 4, "type": "VEC4"},
				{"componentType": 5126, "count": 1, "type": "MAT4"}, {"componentType": 5126, "count": 4, "type": "VEC4"}]`}, "node 0: accessor 2 names joint 2; skin 0 has 1"},
		"skin":       {map[string]string{"skins": `[{"joints": [0], "inverseBindMatrices": 0}]`}, "skin 0: accessor 0"},
		"animation":  {map[string]string{"animations": `[{"channels": [{"sampler": 1, "target": {"node": 0, "path": "scale"}}], "samplers": [{"input": 0, "output": 0}]}]`}, "animation 0: channel 0: sampler 1"},
		"extension":  {map[string]string{"extensionsRequired": `["KHR_draco_mesh_compression"]`}, "KHR_draco"},
		"version":    {map[string]string{"asset": `{"version": "1.0"}`}, "asset.version"},
		"huge place": {map[string]string{"nodes": `[{"mesh": 0, "translation": [1e39, 0, 0]}]`}, "the JSON: json: cannot unmarshal number 1e39 into Go struct field"},
		"no numbers": {map[string]string{"accessors": `[{"count": 1e99}]`}, "JSON"},
	} {
		path := modelFile(t, modelText(c.parts), nil)
		outside := filepath.Join(filepath.Dir(path), "..", "secret.bin")
		if err := os.WriteFile(outside, tetrahedron(), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "a link" {
			if err := os.Symlink(outside, filepath.Join(filepath.Dir(path), "link.bin")); err != nil {
				t.Skip(err)
			}
		}
		_, err := LoadModel(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "scene: ") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := LoadModel(filepath.Join(t.TempDir(), "none.gltf")); err == nil {
		t.Error("a file that is not there was read")
	}
}

// Whatever bytes a model has, it is refused or every number that is drawn lies in its buffer.
func FuzzModel(f *testing.F) {
	f.Add([]byte(modelText(nil)))
	f.Add([]byte(growingColumn(2)))
	f.Add([]byte(jointedColumn(false)))
	f.Add([]byte(modelText(map[string]string{"nodes": `[{"mesh": 0, "children": [1]}, {"mesh": 0, "scale": [2, 1, -1]}]`})))
	file, err := gltffile.Read(fstest.MapFS{"m": {Data: []byte(modelText(nil))}}, "m")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gltffile.Read(fstest.MapFS{"m": {Data: data}}, "m")
		if err != nil {
			return
		}
		if again, err := gltffile.Read(fstest.MapFS{"m": {Data: file}}, "m"); err != nil || len(again) > len(file)+64 {
			t.Fatalf("what was made of it is refused: %v", err)
		}
		g, err := parsed(file)
		if err != nil {
			t.Fatalf("the loader does not take it: %v", err)
		}
		node, err := sceneOf(g)
		if err != nil {
			return
		}
		for _, form := range []Form{Hulls, Triangles} {
			_, _ = ModelGeometry(node, form)
		}
	})
}
