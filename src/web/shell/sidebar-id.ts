/** The id by which a bar's button opens the sidebar as a sheet on narrow pages. */
export const sidebarId = 'sidebar';
