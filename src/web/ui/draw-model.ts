/** Draws a solid (STL) on a canvas, to be turned with the pointer or the arrow keys. */
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Sphere,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';

export type DrawnModel = {
  /** As it was at first. */
  reset(): void;
  close(): void;
};

/** `colour`: any that CSS knows. Throws where the browser cannot draw in three dimensions, and for bytes that are no solid. */
export function drawModel(canvas: HTMLCanvasElement, bytes: ArrayBuffer, colour: string): DrawnModel {
  const geometry = new STLLoader().parse(bytes);
  geometry.computeVertexNormals();
  const sphere = new Box3()
    .setFromBufferAttribute(geometry.getAttribute('position') as never)
    .getBoundingSphere(new Sphere());
  if (!(sphere.radius > 0)) throw new Error('There is nothing in it.');
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const material = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.7, flatShading: true });
  const scene = new Scene();
  scene.add(new Mesh(geometry, material), new AmbientLight(0xffffff, 1.2));
  const camera = new PerspectiveCamera(40, 1, sphere.radius / 100, sphere.radius * 20);
  // Solids are built upwards along z: https://en.wikipedia.org/wiki/STL_(file_format)
  camera.up.set(0, 0, 1);
  camera.position
    .copy(sphere.center)
    .addScaledVector(camera.position.clone().set(1, -1.4, 0.9).normalize(), sphere.radius * 3.2);
  const light = new DirectionalLight(0xffffff, 2);
  camera.add(light);
  scene.add(camera);
  const controls = new OrbitControls(camera, canvas);
  controls.target.copy(sphere.center);
  controls.listenToKeyEvents(canvas);
  controls.update();
  controls.saveState();

  // Drawn when something has changed, not all the time.
  const draw = (): void => renderer.render(scene, camera);
  const fit = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  };
  controls.addEventListener('change', draw);
  const watch = new ResizeObserver(fit);
  watch.observe(canvas);
  fit();
  return {
    reset: () => controls.reset(),
    close() {
      watch.disconnect();
      controls.dispose();
      geometry.dispose();
      material.dispose();
      renderer.dispose();
    },
  };
}
