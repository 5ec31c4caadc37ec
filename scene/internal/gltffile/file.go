// Package gltffile reads glTF 2.0 models that nobody vouches for, such as downloaded ones, in plain
// Go. It checks all that a loader goes by and packs the model anew, into one binary file that refers
// to no other and whose accessors each have their data to themselves, one value after the other.
//
// Source: Khronos Group, glTF 2.0 Specification, version 2.0.1.
package gltffile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
)

// What a model may be at most.
const (
	mostBytes  = 128 << 20 // of all files together, and of all that is unpacked
	mostJSON   = 32 << 20  // bytes
	mostThings = 1 << 16   // of a kind: nodes, meshes, accessors
	mostDrawn  = 64 << 20  // indices or vertices of all nodes together, also of meshes that several show
	mostPixels = 64 << 20  // of all images together
	mostDepth  = 256       // nodes above each other
)

// model is the part of a glTF file that is checked. What is not in it does not come through.
type model struct {
	Asset       asset        `json:"asset"`
	Scene       *int         `json:"scene,omitempty"`
	Scenes      []scene      `json:"scenes,omitempty"`
	Nodes       []node       `json:"nodes,omitempty"`
	Meshes      []mesh       `json:"meshes,omitempty"`
	Skins       []skin       `json:"skins,omitempty"`
	Animations  []animation  `json:"animations,omitempty"`
	Accessors   []accessor   `json:"accessors,omitempty"`
	BufferViews []bufferView `json:"bufferViews,omitempty"`
	Buffers     []buffer     `json:"buffers,omitempty"`
	Images      []picture    `json:"images,omitempty"`
	Textures    []texture    `json:"textures,omitempty"`
	// The loader goes by their names and numbers alone.
	Materials []json.RawMessage `json:"materials,omitempty"`
	Samplers  []json.RawMessage `json:"samplers,omitempty"`
	Cameras   []json.RawMessage `json:"cameras,omitempty"`

	ExtensionsRequired []string `json:"extensionsRequired,omitempty"`
}

type asset struct {
	Version string `json:"version"`
}

type scene struct {
	Name  string `json:"name,omitempty"`
	Nodes []int  `json:"nodes,omitempty"`
}

type node struct {
	Name        string       `json:"name,omitempty"`
	Children    []int        `json:"children,omitempty"`
	Mesh        *int         `json:"mesh,omitempty"`
	Skin        *int         `json:"skin,omitempty"`
	Camera      *int         `json:"camera,omitempty"`
	Matrix      *[16]float32 `json:"matrix,omitempty"`
	Rotation    *[4]float32  `json:"rotation,omitempty"`
	Scale       *[3]float32  `json:"scale,omitempty"`
	Translation *[3]float32  `json:"translation,omitempty"`
	Weights     []float32    `json:"weights,omitempty"`
}

type mesh struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
	Weights    []float32   `json:"weights,omitempty"`
}

type primitive struct {
	Attributes map[string]int   `json:"attributes"`
	Indices    *int             `json:"indices,omitempty"`
	Material   *int             `json:"material,omitempty"`
	Mode       *int             `json:"mode,omitempty"`
	Targets    []map[string]int `json:"targets,omitempty"`
}

type skin struct {
	Name                string `json:"name,omitempty"`
	InverseBindMatrices *int   `json:"inverseBindMatrices,omitempty"`
	Skeleton            *int   `json:"skeleton,omitempty"`
	Joints              []int  `json:"joints"`
}

type animation struct {
	Name     string `json:"name,omitempty"`
	Channels []struct {
		Sampler int `json:"sampler"`
		Target  struct {
			Node int    `json:"node"`
			Path string `json:"path"`
		} `json:"target"`
	} `json:"channels"`
	Samplers []struct {
		Input         int    `json:"input"`
		Interpolation string `json:"interpolation,omitempty"`
		Output        int    `json:"output"`
	} `json:"samplers"`
}

type accessor struct {
	Name          string  `json:"name,omitempty"`
	BufferView    *int    `json:"bufferView,omitempty"`
	ByteOffset    int     `json:"byteOffset,omitempty"`
	ComponentType int     `json:"componentType"`
	Normalized    bool    `json:"normalized,omitempty"`
	Count         int     `json:"count"`
	Type          string  `json:"type"`
	Sparse        *sparse `json:"sparse,omitempty"`
}

type sparse struct {
	Count   int `json:"count"`
	Indices struct {
		BufferView    int `json:"bufferView"`
		ByteOffset    int `json:"byteOffset,omitempty"`
		ComponentType int `json:"componentType"`
	} `json:"indices"`
	Values struct {
		BufferView int `json:"bufferView"`
		ByteOffset int `json:"byteOffset,omitempty"`
	} `json:"values"`
}

type bufferView struct {
	Buffer     int  `json:"buffer"`
	ByteOffset int  `json:"byteOffset,omitempty"`
	ByteLength int  `json:"byteLength"`
	ByteStride *int `json:"byteStride,omitempty"`
}

type buffer struct {
	URI        string `json:"uri,omitempty"`
	ByteLength int    `json:"byteLength"`
}

type picture struct {
	Name       string `json:"name,omitempty"`
	URI        string `json:"uri,omitempty"`
	MimeType   string `json:"mimeType,omitempty"`
	BufferView *int   `json:"bufferView,omitempty"`
}

type texture struct {
	Name    string `json:"name,omitempty"`
	Sampler *int   `json:"sampler,omitempty"`
	Source  *int   `json:"source,omitempty"`
}

// source is where a model's bytes come from.
type source struct {
	files  fs.FS
	folder string // of the model's file
	left   int    // bytes that may still be read
}

// Read reads the model in a file of a folder, .gltf or .glb as its content says, with the files that it
// refers to, which must lie in the folder or below. It returns the model as one .glb file. An error
// names what is wrong, by its kind and index.
func Read(files fs.FS, name string) ([]byte, error) {
	s := &source{files: files, folder: path.Dir(name), left: mostBytes}
	data, err := s.file(name)
	if err != nil {
		return nil, err
	}
	text, chunk, err := split(data)
	if err != nil {
		return nil, err
	}
	if len(text) > mostJSON {
		return nil, fmt.Errorf("the JSON has %d bytes; must be at most %d", len(text), mostJSON)
	}
	m := &model{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(m); err != nil {
		return nil, fmt.Errorf("the JSON: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := m.nestMorphs(); err != nil {
		return nil, err
	}
	return m.repack(s, chunk)
}

// split cuts a .glb file into its JSON and its binary chunk; all of a .gltf file is JSON.
func split(data []byte) (text, chunk []byte, err error) {
	const head, chunkHead = 12, 8
	if !bytes.HasPrefix(data, []byte("glTF")) {
		return data, nil, nil
	}
	if len(data) < head || binary.LittleEndian.Uint32(data[4:]) != 2 {
		return nil, nil, errors.New("the header: must be of version 2")
	}
	rest := data[head:]
	for i, want := range [2]uint32{0x4E4F534A, 0x004E4942} { // JSON, BIN
		if len(rest) == 0 && i == 1 {
			break // there may be none
		}
		if len(rest) < chunkHead {
			return nil, nil, fmt.Errorf("chunk %d: the file ends too early", i)
		}
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		if rest = rest[chunkHead:]; uint64(n) > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("chunk %d: tells of %d bytes; there are %d", i, n, len(rest))
		}
		if kind != want {
			return nil, nil, fmt.Errorf("chunk %d: is of type %#x; must be %#x", i, kind, want)
		}
		if i == 0 {
			text = rest[:n]
		} else {
			chunk = rest[:n]
		}
		rest = rest[n:]
	}
	return text, chunk, nil
}

// file reads a file, within what may still be read.
func (s *source) file(name string) ([]byte, error) {
	f, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(s.left)+1))
	if err != nil {
		return nil, err
	}
	if len(data) > s.left {
		return nil, fmt.Errorf("%s: with it the model has more than %d bytes", name, mostBytes)
	}
	s.left -= len(data)
	return data, nil
}

// uri reads what a reference names: data in itself, or a file in the model's folder or below.
func (s *source) uri(ref string) ([]byte, error) {
	if body, ok := strings.CutPrefix(ref, "data:"); ok {
		kind, text, ok := strings.Cut(body, ",")
		if !ok || !strings.HasSuffix(kind, ";base64") {
			return nil, errors.New("uri: is data, but not as base64")
		}
		if base64.StdEncoding.DecodedLen(len(text)) > s.left {
			return nil, fmt.Errorf("uri: with it the model has more than %d bytes", mostBytes)
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("uri: %w", err)
		}
		s.left -= len(data)
		return data, nil
	}
	name, err := fileOf(ref)
	if err != nil {
		return nil, fmt.Errorf("uri %.80q: %w", ref, err)
	}
	data, err := s.file(path.Join(s.folder, name))
	if err != nil {
		return nil, fmt.Errorf("uri %.80q: %w", ref, err)
	}
	return data, nil
}

// fileOf is the file that a reference names, which must be relative and go down only.
func fileOf(ref string) (string, error) {
	name, err := url.PathUnescape(ref)
	if err != nil {
		return "", err
	}
	switch {
	case strings.ContainsAny(name, ":\\\x00"):
		return "", errors.New("must be a file in the model's folder, without a scheme, a drive or a backslash")
	case strings.HasPrefix(name, "/"):
		return "", errors.New("must not be an absolute path")
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return "", errors.New(`must not leave the model's folder with ".."`)
		}
	}
	if name = path.Clean(name); !fs.ValidPath(name) || name == "." {
		return "", errors.New("must name a file")
	}
	return name, nil
}
