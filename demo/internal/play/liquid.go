package play

import "github.com/meniscus3d/meniscus/scene"

// looks are those of option.Liquids by name; water has the demo's own.
var looks = map[string]scene.Look{
	"sea": scene.SeaLook, "oil": scene.OilLook, "honey": scene.HoneyLook, "milk": scene.MilkLook, "mud": scene.MudLook, "lava": scene.LavaLook,
	"mercury": scene.MercuryLook, "gold": scene.GoldLook,
}
