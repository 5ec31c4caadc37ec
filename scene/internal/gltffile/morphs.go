package gltffile

import "fmt"

// nestMorphs gives each mesh whose morph targets an animation weights a node of its own, the only child of one that the animation is told of instead: there
// g3n's loader looks for the mesh, and fails where it is the node's own, which is where the format has it.
func (m *model) nestMorphs() error {
	nested := map[int]int{} // by the node that had the mesh; only looked up, never ranged over
	for i := range m.Animations {
		for k := range m.Animations[i].Channels {
			target := &m.Animations[i].Channels[k].Target
			if target.Path != "weights" {
				continue
			}
			if within, ok := nested[target.Node]; ok {
				target.Node = within
			} else if m.morphs(target.Node) {
				nested[target.Node] = len(m.Nodes)
				target.Node = m.nest(target.Node)
			}
		}
	}
	if len(m.Nodes) > mostThings {
		return fmt.Errorf("with those for morph targets there are %d nodes; must be at most %d", len(m.Nodes), mostThings)
	}
	return m.checkTree()
}

// morphs tells whether a node has a mesh that can be nested: one primitive with targets.
func (m *model) morphs(node int) bool {
	mesh := m.Nodes[node].Mesh
	return mesh != nil && len(m.Meshes[*mesh].Primitives) == 1 && len(m.Meshes[*mesh].Primitives[0].Targets) > 0
}

// nest moves a node's mesh to a grandchild, and returns the child between.
func (m *model) nest(i int) (between int) {
	between = len(m.Nodes)
	n := m.Nodes[i]
	m.Nodes = append(m.Nodes, node{Name: n.Name, Children: []int{between + 1}}, node{Name: n.Name, Mesh: n.Mesh, Skin: n.Skin, Weights: n.Weights})
	m.Nodes[i].Mesh, m.Nodes[i].Skin, m.Nodes[i].Weights = nil, nil, nil
	m.Nodes[i].Children = append(m.Nodes[i].Children, between)
	return between
}
