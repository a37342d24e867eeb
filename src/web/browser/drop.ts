/** Takes files that are dropped anywhere on the page, and shows while they are above it that they can be. */
export function takeDrops(onFiles: (files: FileList) => void): void {
  const { classList } = document.documentElement;
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    // Without a target, the pointer has left the window and not only an element.
    if (event.relatedTarget === null) classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    classList.remove('dropping');
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    onFiles(event.dataTransfer.files);
  });
}
