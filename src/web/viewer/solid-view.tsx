/** A solid (STL) to be turned by mouse, touch and keys. Loaded with the first one: three is large. */
import { useEffect, useRef, useState } from 'react';
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  type BufferGeometry,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { useMedia } from '../ui/use-media.ts';
import { useWords } from '../words/use-words.ts';

/** A browser's memory is not the server's. */
const maxBytes = 64_000_000;

export function SolidView({ address, name }: { readonly address: string; readonly name: string }) {
  const { t } = useWords();
  const failureWords = useFailureWords();
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let shown: { close(): void } | undefined;
    let isGone = false;
    readSolid(address)
      .then((geometry) => {
        if (isGone) return geometry.dispose();
        shown = showSolid(element, geometry);
        setSize(sizeOf(geometry));
      })
      .catch((error: unknown) =>
        setProblem(error instanceof SolidProblem ? t(`viewer.${error.kind}`) : failureWords(error)),
      );
    return () => {
      isGone = true;
      shown?.close();
    };
  }, [address, isDark, t, failureWords]);
  return (
    <figure className="solid">
      {problem === '' ? (
        <div ref={place} className="solid-view" role="img" aria-label={t('viewer.solid', { name })} />
      ) : (
        <p className="empty">{problem}</p>
      )}
      <figcaption className="xs muted num">{size}</figcaption>
    </figure>
  );
}

class SolidProblem extends Error {
  readonly kind: 'solid-broken' | 'solid-large' | 'no-graphics';

  constructor(kind: SolidProblem['kind']) {
    super(kind);
    this.kind = kind;
  }
}

async function readSolid(address: string): Promise<BufferGeometry> {
  const response = await fetch(address);
  if (Number(response.headers.get('content-length')) > maxBytes) throw new SolidProblem('solid-large');
  if (!response.ok) throw new SolidProblem('solid-broken');
  const bytes = await response.arrayBuffer();
  try {
    const geometry = new STLLoader().parse(bytes);
    if (geometry.getAttribute('position').count > 0) return geometry;
  } catch {
    // Said below.
  }
  throw new SolidProblem('solid-broken');
}

function sizeOf(geometry: BufferGeometry): string {
  const size = new Box3().setFromObject(new Mesh(geometry)).getSize(new Vector3());
  return [size.x, size.y, size.z].map((each) => each.toFixed(1)).join(' × ');
}

function showSolid(element: HTMLElement, geometry: BufferGeometry): { close(): void } {
  const colour = (token: string): Color => new Color(getComputedStyle(element).getPropertyValue(token).trim());
  const renderer = rendererFor(element);
  const scene = new Scene();
  scene.background = colour('--surface');
  geometry.center();
  geometry.computeVertexNormals();
  geometry.computeBoundingSphere();
  const radius = geometry.boundingSphere?.radius ?? 1;
  const material = new MeshStandardMaterial({ color: colour('--accent'), roughness: 0.7, metalness: 0.05 });
  const mesh = new Mesh(geometry, material);
  // The models of printers stand on x and y; the screen's up is y.
  mesh.rotation.x = -Math.PI / 2;
  const light = new DirectionalLight(0xffffff, 2.2);
  light.position.set(1, 2, 3);
  scene.add(mesh, new AmbientLight(0xffffff, 1.1), light);
  const camera = new PerspectiveCamera(40, 1, radius / 100, radius * 100);
  camera.position.set(radius * 1.6, radius * 1.2, radius * 2.2);
  const controls = new OrbitControls(camera, renderer.domElement);
  renderer.domElement.tabIndex = 0;
  controls.listenToKeyEvents(renderer.domElement);
  const draw = (): void => renderer.render(scene, camera);
  controls.addEventListener('change', draw);
  const fit = (): void => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(element);
  controls.update();
  fit();
  return {
    close() {
      sizes.disconnect();
      controls.dispose();
      geometry.dispose();
      material.dispose();
      renderer.dispose();
      renderer.domElement.remove();
    },
  };
}

function rendererFor(element: HTMLElement): WebGLRenderer {
  try {
    const renderer = new WebGLRenderer({ antialias: true });
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    element.append(renderer.domElement);
    return renderer;
  } catch {
    throw new SolidProblem('no-graphics');
  }
}
