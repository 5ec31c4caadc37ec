package gltffile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // what models' pictures are
	_ "image/png"
	"math"
)

// repacker makes one file of a model.
type repacker struct {
	*model
	data   [][]byte // of the buffers
	index  []bool   // accessors that hold indices
	out    []byte   // the new binary chunk
	views  []bufferView
	pixels int
}

// repack reads the buffers and makes a .glb file of the model, of which chunk is the binary chunk.
func (m *model) repack(s *source, chunk []byte) ([]byte, error) {
	r := &repacker{model: m, index: make([]bool, len(m.Accessors))}
	for i := range m.Buffers {
		b := &m.Buffers[i]
		data, err := chunk, error(nil)
		if b.URI != "" {
			data, err = s.uri(b.URI)
		} else if i > 0 || chunk == nil {
			err = fmt.Errorf("it has no uri")
		}
		if err == nil && (b.ByteLength < 1 || len(data) < b.ByteLength) {
			err = fmt.Errorf("byteLength is %d; there are %d bytes", b.ByteLength, len(data))
		}
		if err != nil {
			return nil, fmt.Errorf("buffer %d: %w", i, err)
		}
		r.data = append(r.data, data)
	}
	for i := range m.Meshes {
		for _, p := range m.Meshes[i].Primitives {
			if p.Indices != nil {
				r.index[*p.Indices] = true
			}
		}
	}
	values := make([][]float64, len(m.Accessors)) // of indices and joints
	for i := range m.Accessors {
		if err := r.accessor(i, values); err != nil {
			return nil, fmt.Errorf("accessor %d: %w", i, err)
		}
	}
	if err := m.checkIndices(values); err != nil {
		return nil, err
	}
	for i := range m.Images {
		if err := r.image(s, i); err != nil {
			return nil, fmt.Errorf("image %d: %w", i, err)
		}
	}
	m.BufferViews, m.Buffers, m.ExtensionsRequired = r.views, nil, nil
	if len(r.out) > 0 {
		m.Buffers = []buffer{{ByteLength: len(r.out)}}
	}
	return r.file()
}

// view is the bytes of a view.
func (r *repacker) view(i int) []byte {
	v := &r.BufferViews[i]
	return r.data[v.Buffer][v.ByteOffset : v.ByteOffset+v.ByteLength]
}

// add appends bytes as a view of their own, and returns its index.
func (r *repacker) add(size int) (view int, err error) {
	const align = 4
	if size > mostBytes-len(r.out)-align {
		return 0, fmt.Errorf("with it the model has more than %d bytes unpacked", mostBytes)
	}
	r.views = append(r.views, bufferView{ByteOffset: len(r.out), ByteLength: size})
	r.out = append(r.out, make([]byte, (size+align-1)/align*align)...)
	return len(r.views) - 1, nil
}

// number is a component of a value.
func number(b []byte, kind int) float64 {
	switch kind {
	case byteType:
		return float64(int8(b[0]))
	case ubyteType:
		return float64(b[0])
	case shortType:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case ushortType:
		return float64(binary.LittleEndian.Uint16(b))
	case uintType:
		return float64(binary.LittleEndian.Uint32(b))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// scale is what a normalized component is divided by.
var scale = map[int]float64{byteType: 127, ubyteType: 255, shortType: 32767, ushortType: 65535}

// accessor unpacks an accessor's values: whole numbers that are indices as 32 bits, other unsigned ones as
// 16, all else as float32. values get those that are whole.
func (r *repacker) accessor(i int, values [][]float64) error {
	a := &r.Accessors[i]
	n, size := components[a.Type], sizes[a.ComponentType]
	all := make([]float64, 0, min(a.Count*n, 1<<20))
	if a.BufferView == nil {
		all = make([]float64, a.Count*n)
	} else {
		all = appendValues(all, r.view(*a.BufferView)[a.ByteOffset:], a.Count, n, size, r.BufferViews[*a.BufferView].ByteStride, a.ComponentType)
	}
	if s := a.Sparse; s != nil {
		at := appendValues(nil, r.view(s.Indices.BufferView)[s.Indices.ByteOffset:], s.Count, 1, sizes[s.Indices.ComponentType], nil, s.Indices.ComponentType)
		with := appendValues(nil, r.view(s.Values.BufferView)[s.Values.ByteOffset:], s.Count, n, size, nil, a.ComponentType)
		for k, x := range at {
			if int(x) >= a.Count || k > 0 && x <= at[k-1] {
				return fmt.Errorf("sparse.indices: number %d is %d; must be greater than the one before and less than %d", k, int(x), a.Count)
			}
			copy(all[n*int(x):n*int(x)+n], with[n*k:])
		}
	}
	kind := floatType
	switch whole := a.ComponentType != floatType && !a.Normalized; {
	case whole && a.Type == "SCALAR" && (r.index[i] || a.ComponentType == uintType):
		kind, values[i] = uintType, all
	case whole && (a.ComponentType == ubyteType || a.ComponentType == ushortType):
		kind, values[i] = ushortType, all
	}
	view, err := r.add(len(all) * sizes[kind])
	if err != nil {
		return err
	}
	out := r.out[r.views[view].ByteOffset:]
	for k, x := range all {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("value %d is not finite", k/n)
		}
		switch kind {
		case uintType:
			binary.LittleEndian.PutUint32(out[4*k:], uint32(x))
		case ushortType:
			binary.LittleEndian.PutUint16(out[2*k:], uint16(x))
		default:
			if a.Normalized {
				x = max(x/scale[a.ComponentType], -1)
			}
			binary.LittleEndian.PutUint32(out[4*k:], math.Float32bits(float32(x)))
		}
	}
	*a = accessor{Name: a.Name, BufferView: &view, ComponentType: kind, Count: a.Count, Type: a.Type}
	return nil
}

// appendValues appends count values of n components each.
func appendValues(dst []float64, from []byte, count, n, size int, stride *int, kind int) []float64 {
	step := n * size
	if stride != nil {
		step = *stride
	}
	for v := range count {
		for k := range n {
			dst = append(dst, number(from[v*step+k*size:], kind))
		}
	}
	return dst
}

// checkIndices checks that indices name vertices, and joints those of the skin.
func (m *model) checkIndices(values [][]float64) error {
	for i := range m.Meshes {
		for k, p := range m.Meshes[i].Primitives {
			if p.Indices == nil {
				continue
			}
			count := m.Accessors[p.Attributes["POSITION"]].Count
			for at, x := range values[*p.Indices] {
				if x >= float64(count) {
					return fmt.Errorf("mesh %d: primitive %d: index %d of accessor %d is %.0f; there are %d vertices", i, k, at, *p.Indices, x, count)
				}
			}
		}
	}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Mesh == nil || n.Skin == nil {
			continue
		}
		for k, p := range m.Meshes[*n.Mesh].Primitives {
			joints, ok := p.Attributes["JOINTS_0"]
			if !ok {
				return fmt.Errorf("node %d: primitive %d of mesh %d has a skin and no JOINTS_0", i, k, *n.Mesh)
			}
			for _, x := range values[joints] {
				if x >= float64(len(m.Skins[*n.Skin].Joints)) {
					return fmt.Errorf("node %d: accessor %d names joint %.0f; skin %d has %d", i, joints, x, *n.Skin, len(m.Skins[*n.Skin].Joints))
				}
			}
		}
	}
	return nil
}

// image takes a picture into the file, if it can be decoded and is not too large.
func (r *repacker) image(s *source, i int) (err error) {
	p := &r.Images[i]
	var data []byte
	if p.BufferView != nil {
		data = r.view(*p.BufferView)
	} else if data, err = s.uri(p.URI); err != nil {
		return err
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if c.Width < 1 || c.Height < 1 || c.Width > mostPixels || c.Height > mostPixels || c.Width*c.Height > mostPixels-r.pixels {
		return fmt.Errorf("it has %d×%d pixels; all must be at most %d", c.Width, c.Height, mostPixels)
	}
	r.pixels += c.Width * c.Height
	view, err := r.add(len(data))
	if err != nil {
		return err
	}
	copy(r.out[r.views[view].ByteOffset:], data)
	*p = picture{Name: p.Name, BufferView: &view, MimeType: p.MimeType}
	return nil
}

// file lays the model out as a .glb file.
func (r *repacker) file() ([]byte, error) {
	text, err := json.Marshal(r.model)
	if err != nil {
		return nil, err
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	file := append(make([]byte, 0, 28+len(text)+len(r.out)), "glTF"...)
	word := func(v int) { file = binary.LittleEndian.AppendUint32(file, uint32(v)) }
	word(2)
	word(28 + len(text) + len(r.out))
	word(len(text))
	word(0x4E4F534A)
	file = append(file, text...)
	word(len(r.out))
	word(0x004E4942)
	return append(file, r.out...), nil
}
