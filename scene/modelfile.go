package scene

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/loader/gltf"

	"github.com/meniscus3d/meniscus/scene/internal/gltffile"
)

// LoadModel reads a glTF model, .gltf or .glb, and returns the nodes of its scene, or all if it has none,
// under one: for ShowModel, NewModelBody, or a scene. It is safe with models that nobody vouches for,
// see ParseModel, whose errors it returns too.
func LoadModel(path string) (*core.Node, error) {
	g, err := ParseModel(path)
	if err != nil {
		return nil, err
	}
	node, err := sceneOf(g)
	if err != nil {
		return nil, fmt.Errorf("scene: LoadModel: %s: %w", path, err)
	}
	return node, nil
}

// CheckModel reports what keeps LoadModel from reading a model: the error of ParseModel. It makes nothing.
func CheckModel(path string) error {
	_, err := checkedModel(path)
	return err
}

// ParseModel reads a glTF model for g3n's loader, which has its scenes, skins and animations.
//
// g3n's loader itself trusts its input. Here everything that it goes by is checked first: that accessors lie in
// their buffers and indices name vertices, that numbers are finite, that what refers to something
// refers to what there is, that nodes make a tree, and that files lie in the model's folder or below, links
// too. A model may have 128 MiB in all its files, and as much unpacked; 64 million pixels, vertices and
// indices. An error names the thing and its index. Values that the loader can't read as they are, interleaved,
// sparse or normalized ones, are laid out anew; attributes that it doesn't know are left out.
func ParseModel(path string) (*gltf.GLTF, error) {
	file, err := checkedModel(path)
	if err != nil {
		return nil, err
	}
	g, err := parsed(file)
	if err != nil {
		return nil, fmt.Errorf("scene: ParseModel: %s: %w", path, err)
	}
	return g, nil
}

// checkedModel is a model as one binary file that is safe to load.
func checkedModel(path string) ([]byte, error) {
	folder, name := filepath.Split(path)
	folder = cmp.Or(folder, ".")
	root, err := os.OpenRoot(folder) // no link leads out of it
	if err != nil {
		return nil, fmt.Errorf("scene: model: %w", err)
	}
	defer root.Close()
	file, err := gltffile.Read(root.FS(), name)
	if err != nil {
		return nil, fmt.Errorf("scene: model %s: %w", path, err)
	}
	return file, nil
}

func parsed(file []byte) (*gltf.GLTF, error) {
	return gltf.ParseBinReader(bytes.NewReader(file), "")
}

// sceneOf has the loader make the nodes of the model's scene.
func sceneOf(g *gltf.GLTF) (node *core.Node, err error) {
	defer func() {
		// The loader panics on materials and cameras that lack what it expects.
		if p := recover(); p != nil {
			node, err = nil, fmt.Errorf("g3n's loader can't read it: %v", p)
		}
	}()
	if len(g.Nodes) == 0 {
		return nil, errors.New("it has no nodes")
	}
	if len(g.Scenes) > 0 {
		index := 0
		if g.Scene != nil {
			index = *g.Scene
		}
		root, err := g.LoadScene(index)
		if err != nil {
			return nil, err
		}
		return root.GetNode(), nil
	}
	child := make([]bool, len(g.Nodes))
	for i := range g.Nodes {
		for _, c := range g.Nodes[i].Children {
			child[c] = true
		}
	}
	node = core.NewNode()
	for i := range g.Nodes {
		if child[i] {
			continue
		}
		n, err := g.LoadNode(i)
		if err != nil {
			return nil, err
		}
		node.Add(n)
	}
	return node, nil
}
