package scene

import (
	"errors"
	"fmt"
	"image"
	"image/draw"

	"github.com/g3n/engine/gls"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Picture is what is drawn in g3n's viewport of the window, without transparency: what Draw and whatever came after it have drawn. Call it before
// the window's buffers are swapped: in the function that app.Run calls, anywhere after Draw. It waits for the graphics card. It is an error if the
// viewport has no size, as before the first Draw.
func Picture(gs *gls.GLS) (*image.RGBA, error) {
	x, y, w, h := gs.GetViewport()
	if w <= 0 || h <= 0 {
		return nil, errors.New("scene: Picture: the viewport has no size: call Draw, or gls.GLS.Viewport(0, 0, width, height), first")
	}
	gs.BindFramebuffer(0)
	// g3n makes room for (width - x)·(height - y) pixels: only from a corner it reads no further than that.
	right, top := int(x+w), int(y+h)
	all := adapter.Picture(gs.ReadPixels(0, 0, right, top, gls.RGBA, gls.UNSIGNED_BYTE), right, top)
	if x == 0 && y == 0 {
		return all, nil
	}
	img := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
	draw.Draw(img, img.Rect, all, image.Pt(int(x), 0), draw.Src)
	return img, nil
}

// SavePicture writes Picture into a PNG file, and makes the file's folder.
func SavePicture(path string, gs *gls.GLS) error {
	img, err := Picture(gs)
	if err != nil {
		return err
	}
	if err := adapter.SavePNG(path, img); err != nil {
		return fmt.Errorf("scene: SavePicture: %w", err)
	}
	return nil
}
