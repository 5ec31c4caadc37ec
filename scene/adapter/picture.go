package adapter

import (
	"bufio"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
)

// Picture is what glReadPixels reads, as a picture without transparency.
//
// pixels: len ≥ 4·width·height, RGBA, in rows from the bottom up; not kept.
// Picture panics if there are fewer.
func Picture(pixels []byte, width, height int) *image.RGBA {
	if width < 0 || height < 0 || len(pixels) < 4*width*height {
		panic(fmt.Sprintf("adapter: Picture: %d bytes; must be 4 for each of %d×%d pixels", len(pixels), width, height))
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		copy(img.Pix[y*img.Stride:(y+1)*img.Stride], pixels[4*width*(height-1-y):4*width*(height-y)])
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}

// SavePNG writes a picture into a PNG file, and makes the file's folder.
func SavePNG(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = encoder.Encode(w, img)
	if err == nil {
		err = w.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
