/** The page's first script: puts the app into the document. */
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<p>Handrail</p>);
