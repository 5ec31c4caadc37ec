package gltffile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values of accessors.
const (
	byteType   = 5120
	ubyteType  = 5121
	shortType  = 5122
	ushortType = 5123
	uintType   = 5125
	floatType  = 5126
)

var sizes = map[int]int{byteType: 1, ubyteType: 1, shortType: 2, ushortType: 2, uintType: 4, floatType: 4} // bytes

var components = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}

// in checks an index of a thing that another refers to.
func in(what string, i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("%s %d: there are %d", what, i, n)
	}
	return nil
}

// inIf is in for what may be left out.
func inIf(what string, i *int, n int) error {
	if i == nil {
		return nil
	}
	return in(what, *i, n)
}

// check checks what refers to what, and all numbers that need no data.
func (m *model) check() error {
	if !strings.HasPrefix(m.Asset.Version, "2.") {
		return fmt.Errorf("asset.version is %.20q; must be 2.0", m.Asset.Version)
	}
	for _, e := range m.ExtensionsRequired {
		if e != "KHR_materials_common" {
			return fmt.Errorf("extensionsRequired: %.60q can't be read", e)
		}
	}
	if n := max(len(m.Scenes), len(m.Nodes), len(m.Meshes), len(m.Skins), len(m.Animations), len(m.Accessors), len(m.BufferViews),
		len(m.Buffers), len(m.Images), len(m.Textures), len(m.Materials)); n > mostThings {
		return fmt.Errorf("there are %d things of a kind; must be at most %d", n, mostThings)
	}
	for _, check := range []struct {
		what string
		n    int
		of   func(i int) error
	}{
		{"bufferView", len(m.BufferViews), m.checkView}, {"accessor", len(m.Accessors), m.checkAccessor}, {"mesh", len(m.Meshes), m.checkMesh},
		{"image", len(m.Images), m.checkImage}, {"texture", len(m.Textures), m.checkTexture}, {"skin", len(m.Skins), m.checkSkin},
		{"node", len(m.Nodes), m.checkNode}, {"animation", len(m.Animations), m.checkAnimation}, {"scene", len(m.Scenes), m.checkScene},
	} {
		for k := range check.n {
			if err := check.of(k); err != nil {
				return fmt.Errorf("%s %d: %w", check.what, k, err)
			}
		}
	}
	if err := inIf("scene", m.Scene, len(m.Scenes)); err != nil {
		return err
	}
	return m.checkTree()
}

func (m *model) checkView(i int) error {
	v := &m.BufferViews[i]
	if err := in("buffer", v.Buffer, len(m.Buffers)); err != nil {
		return err
	}
	b := &m.Buffers[v.Buffer]
	switch {
	case b.ByteLength < 1 || b.ByteLength > mostBytes:
		return fmt.Errorf("buffer %d: byteLength is %d; must be 1 to %d", v.Buffer, b.ByteLength, mostBytes)
	case v.ByteOffset < 0 || v.ByteLength < 1 || v.ByteOffset > b.ByteLength || v.ByteLength > b.ByteLength-v.ByteOffset:
		return fmt.Errorf("byteOffset %d and byteLength %d lie outside of buffer %d, which has %d bytes", v.ByteOffset, v.ByteLength, v.Buffer, b.ByteLength)
	case v.ByteStride != nil && (*v.ByteStride < 4 || *v.ByteStride > 252 || *v.ByteStride%4 != 0):
		return fmt.Errorf("byteStride is %d; must be 4 to 252 and a multiple of 4", *v.ByteStride)
	}
	return nil
}

// span checks that count values, each of size bytes, fit into a view from an offset on.
func (m *model) span(view, offset, count, size, align int, strided bool) error {
	if err := in("bufferView", view, len(m.BufferViews)); err != nil {
		return err
	}
	v := &m.BufferViews[view]
	stride := size
	if strided && v.ByteStride != nil {
		stride = *v.ByteStride
	}
	switch {
	case stride < size:
		return fmt.Errorf("bufferView %d: byteStride is %d; must be at least a value's %d bytes", view, stride, size)
	case offset < 0 || (v.ByteOffset+offset)%align != 0 || stride%align != 0:
		return fmt.Errorf("byteOffset is %d; must not be negative, and with that of bufferView %d a multiple of %d", offset, view, align)
	case int64(offset)+int64(stride)*int64(count-1)+int64(size) > int64(v.ByteLength):
		return fmt.Errorf("its %d values need %d bytes of bufferView %d, which has %d",
			count, int64(offset)+int64(stride)*int64(count-1)+int64(size), view, v.ByteLength)
	}
	return nil
}

func (m *model) checkAccessor(i int) error {
	a := &m.Accessors[i]
	size, n := sizes[a.ComponentType], components[a.Type]
	switch {
	case size == 0:
		return fmt.Errorf("componentType is %d; must be 5120 to 5123, 5125 or 5126", a.ComponentType)
	case n == 0 || n > 4 && a.ComponentType != floatType || a.Type == "MAT2" && a.ComponentType != floatType:
		return fmt.Errorf("type is %.20q of componentType %d, which can't be read", a.Type, a.ComponentType)
	case a.Count < 1 || a.Count > mostBytes/4/n:
		return fmt.Errorf("count is %d; must be 1 to %d", a.Count, mostBytes/4/n)
	case a.Normalized && (a.ComponentType == uintType || a.ComponentType == floatType):
		return fmt.Errorf("normalized values are of componentType %d; must be of bytes or shorts", a.ComponentType)
	case a.BufferView == nil && a.ByteOffset != 0:
		return fmt.Errorf("byteOffset is %d without a bufferView", a.ByteOffset)
	}
	if a.BufferView != nil {
		if err := m.span(*a.BufferView, a.ByteOffset, a.Count, n*size, size, true); err != nil {
			return err
		}
	}
	s := a.Sparse
	if s == nil {
		return nil
	}
	index := sizes[s.Indices.ComponentType]
	switch {
	case s.Count < 1 || s.Count > a.Count:
		return fmt.Errorf("sparse.count is %d; must be 1 to %d", s.Count, a.Count)
	case index == 0 || s.Indices.ComponentType == byteType || s.Indices.ComponentType == shortType || s.Indices.ComponentType == floatType:
		return fmt.Errorf("sparse.indices.componentType is %d; must be 5121, 5123 or 5125", s.Indices.ComponentType)
	}
	if err := m.span(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, index, index, false); err != nil {
		return fmt.Errorf("sparse.indices: %w", err)
	}
	if err := m.span(s.Values.BufferView, s.Values.ByteOffset, s.Count, n*size, size, false); err != nil {
		return fmt.Errorf("sparse.values: %w", err)
	}
	return nil
}

// attributes are those that the loader knows, with the types that they may have.
var attributes = map[string]string{"POSITION": "VEC3", "NORMAL": "VEC3", "TANGENT": "VEC3 VEC4", "TEXCOORD_0": "VEC2", "TEXCOORD_1": "VEC2",
	"COLOR_0": "VEC3 VEC4", "JOINTS_0": "VEC4", "WEIGHTS_0": "VEC4"}

func (m *model) checkMesh(i int) error {
	for k := range m.Meshes[i].Primitives {
		if err := m.checkPrimitive(&m.Meshes[i].Primitives[k]); err != nil {
			return fmt.Errorf("primitive %d: %w", k, err)
		}
	}
	return nil
}

func (m *model) checkPrimitive(p *primitive) error {
	position, ok := p.Attributes["POSITION"]
	if !ok {
		return fmt.Errorf("it has no attribute POSITION")
	}
	if err := in("POSITION: accessor", position, len(m.Accessors)); err != nil {
		return err
	}
	count := m.Accessors[position].Count
	for _, list := range append([]map[string]int{p.Attributes}, p.Targets...) {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			a := list[name]
			types, known := attributes[name]
			if !known {
				delete(list, name) // a game's own, or a further set
				continue
			}
			if err := in(name+": accessor", a, len(m.Accessors)); err != nil {
				return err
			}
			ac := &m.Accessors[a]
			whole := ac.ComponentType == ubyteType || ac.ComponentType == ushortType
			switch {
			case !strings.Contains(types, ac.Type):
				return fmt.Errorf("%s: accessor %d is of type %s; must be %s", name, a, ac.Type, types)
			case ac.Count != count:
				return fmt.Errorf("%s: accessor %d has %d values; must be %d as POSITION has", name, a, ac.Count, count)
			case name == "JOINTS_0" && (!whole || ac.Normalized):
				return fmt.Errorf("JOINTS_0: accessor %d is of componentType %d; must be 5121 or 5123, not normalized", a, ac.ComponentType)
			case name != "JOINTS_0" && ac.ComponentType != floatType && !ac.Normalized:
				return fmt.Errorf("%s: accessor %d is of componentType %d; must be 5126, or normalized", name, a, ac.ComponentType)
			}
		}
	}
	if p.Indices != nil {
		if err := in("indices: accessor", *p.Indices, len(m.Accessors)); err != nil {
			return err
		}
		a := &m.Accessors[*p.Indices]
		if a.Type != "SCALAR" || a.Normalized || a.ComponentType != ubyteType && a.ComponentType != ushortType && a.ComponentType != uintType {
			return fmt.Errorf("indices: accessor %d is %s of componentType %d; must be SCALAR of 5121, 5123 or 5125", *p.Indices, a.Type, a.ComponentType)
		}
	}
	if p.Mode != nil && (*p.Mode < 0 || *p.Mode > 6) {
		return fmt.Errorf("mode is %d; must be 0 to 6", *p.Mode)
	}
	return inIf("material", p.Material, len(m.Materials))
}

func (m *model) checkImage(i int) error {
	p := &m.Images[i]
	if (p.URI == "") == (p.BufferView == nil) {
		return fmt.Errorf("it must have either a uri or a bufferView")
	}
	return inIf("bufferView", p.BufferView, len(m.BufferViews))
}

func (m *model) checkTexture(i int) error {
	t := &m.Textures[i]
	if t.Source == nil {
		return fmt.Errorf("it has no source that can be read")
	}
	return cmp.Or(in("image", *t.Source, len(m.Images)), inIf("sampler", t.Sampler, len(m.Samplers)))
}

func (m *model) checkSkin(i int) error {
	s := &m.Skins[i]
	if s.InverseBindMatrices == nil {
		return fmt.Errorf("it has no inverseBindMatrices")
	}
	if err := cmp.Or(in("accessor", *s.InverseBindMatrices, len(m.Accessors)), inIf("skeleton: node", s.Skeleton, len(m.Nodes))); err != nil {
		return err
	}
	if a := &m.Accessors[*s.InverseBindMatrices]; a.Type != "MAT4" || a.Count < len(s.Joints) {
		return fmt.Errorf("accessor %d has %d values of type %s; must be a MAT4 for each of %d joints", *s.InverseBindMatrices, a.Count, a.Type, len(s.Joints))
	}
	for _, j := range s.Joints {
		if err := in("joints: node", j, len(m.Nodes)); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) checkNode(i int) error {
	n := &m.Nodes[i]
	return cmp.Or(inIf("mesh", n.Mesh, len(m.Meshes)), inIf("skin", n.Skin, len(m.Skins)), inIf("camera", n.Camera, len(m.Cameras)))
}

func (m *model) checkAnimation(i int) error {
	a := &m.Animations[i]
	for k, s := range a.Samplers {
		if err := cmp.Or(in("input: accessor", s.Input, len(m.Accessors)), in("output: accessor", s.Output, len(m.Accessors))); err != nil {
			return fmt.Errorf("sampler %d: %w", k, err)
		}
	}
	for k, c := range a.Channels {
		if err := cmp.Or(in("sampler", c.Sampler, len(a.Samplers)), in("target: node", c.Target.Node, len(m.Nodes))); err != nil {
			return fmt.Errorf("channel %d: %w", k, err)
		}
	}
	return nil
}

func (m *model) checkScene(i int) error {
	for _, n := range m.Scenes[i].Nodes {
		if err := in("node", n, len(m.Nodes)); err != nil {
			return err
		}
	}
	return nil
}

// checkTree checks that no node has two parents or is its own ancestor, and how much all nodes draw.
func (m *model) checkTree() error {
	parent := make([]int, len(m.Nodes))
	for i := range parent {
		parent[i] = -1
	}
	drawn := 0
	for i := range m.Nodes {
		n := &m.Nodes[i]
		for _, c := range n.Children {
			if err := in("child", c, len(m.Nodes)); err != nil {
				return fmt.Errorf("node %d: %w", i, err)
			}
			if parent[c] >= 0 {
				return fmt.Errorf("node %d: it is a child of node %d and of node %d", c, parent[c], i)
			}
			parent[c] = i
		}
		if n.Mesh == nil {
			continue
		}
		for k := range m.Meshes[*n.Mesh].Primitives {
			p := &m.Meshes[*n.Mesh].Primitives[k]
			drawn += m.Accessors[p.Attributes["POSITION"]].Count * (1 + len(p.Targets))
			if p.Indices != nil {
				drawn += m.Accessors[*p.Indices].Count
			}
			if drawn > mostDrawn {
				return fmt.Errorf("node %d: with it the nodes draw more than %d vertices and indices", i, mostDrawn)
			}
		}
	}
	for i := range parent {
		depth := 0
		for at := i; parent[at] >= 0; at = parent[at] {
			if depth++; depth > mostDepth {
				return fmt.Errorf("node %d: it is its own ancestor, or more than %d deep", i, mostDepth)
			}
		}
	}
	for i, s := range m.Scenes {
		for _, n := range s.Nodes {
			if parent[n] >= 0 {
				return fmt.Errorf("scene %d: node %d is a child of node %d", i, n, parent[n])
			}
		}
	}
	return nil
}
