package scene

// copyPass copies the scene to where the liquids are drawn.
var copyPass = pass{name: "copy", inputs: []string{"scene"}, outputs: []string{"mix"}, draw: drawCopy}

func drawCopy(f *frame) error {
	f.target("scene").copyTo(f.gs, f.target("mix"))
	return nil
}
