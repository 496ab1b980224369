/** The chosen colours, before anything is painted: a classic script in the head holds the page up until it has run. */
{
  const theme = localStorage.getItem('handrail.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
