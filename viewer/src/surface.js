// The material of meshes. It is as simple as it can be, because browsers without a GPU run it on the
// processor: one flat shade for each triangle, from the derivatives of its position.
import { Color, DoubleSide, ShaderMaterial, Vector4 } from "three";

const vertexShader = `
varying vec3 place;
varying vec3 shade;
#ifdef CUT
uniform vec4 cut;
varying float side;
#endif
void main() {
    vec4 view = modelViewMatrix * vec4(position, 1.0);
    place = view.xyz;
#ifdef PAINTED
    shade = color;
#endif
#ifdef CUT
    side = dot(cut.xyz, position) + cut.w;
#endif
    gl_Position = projectionMatrix * view;
}`;

const fragmentShader = `
uniform vec3 tint;
uniform float opacity;
varying vec3 place;
varying vec3 shade;
#ifdef CUT
varying float side;
#endif
void main() {
#ifdef CUT
    if (side < 0.0) discard;
#endif
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    float light = 0.42 + 0.58 * abs(dot(normal, vec3(0.36, 0.48, 0.8)));
#ifdef PAINTED
    gl_FragColor = vec4(shade * light, opacity);
#else
    gl_FragColor = vec4(tint * light, opacity);
#endif
}`;

/** `painted`: with a colour for each vertex, else `tint`. Colours are those of the screen, not linear. */
export function makeSurface(painted, depth) {
    return new ShaderMaterial({
        vertexShader,
        fragmentShader,
        defines: painted ? { PAINTED: "" } : {},
        uniforms: { tint: { value: new Color() }, opacity: { value: 1 }, cut: { value: new Vector4() } },
        vertexColors: painted,
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: depth,
        polygonOffsetUnits: depth,
    });
}

/** Cut away where the plane is negative; null: nothing. */
export function cutSurface(material, plane) {
    const was = "CUT" in material.defines;
    if (plane) {
        material.defines.CUT = "";
        material.uniforms.cut.value.set(plane.normal.x, plane.normal.y, plane.normal.z, plane.constant);
    } else delete material.defines.CUT;
    material.needsUpdate ||= was !== Boolean(plane);
}
