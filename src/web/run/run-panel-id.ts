/** The id that ties the panel "This run" to the button that opens it as a sheet. */
export const runPanelId = 'run-panel';
