/// The script of the page: it sends the chosen file and says how that went.

module {
  public func text() : Text {
    "const form = document.querySelector('form');\n" #
    "const status = form.querySelector('[role=status]');\n" #
    "form.addEventListener('submit', async (event) => {\n" #
    "  event.preventDefault();\n" #
    "  const file = form.elements.file.files[0];\n" #
    "  if (file.size > 1900000) return void (status.textContent = 'The file is larger than 1.9 MB.');\n" #
    "  const button = form.querySelector('button');\n" #
    "  button.disabled = true;\n" #
    "  status.textContent = 'Uploading ...';\n" #
    "  try {\n" #
    "    const name = file.name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.]+/, '').slice(-100) || 'file';\n" #
    "    const headers = { 'x-drop-key': form.elements.key.value, 'content-type': file.type || 'application/octet-stream' };\n" #
    "    const answer = await fetch('/upload?name=' + encodeURIComponent(name), { method: 'POST', headers, body: file });\n" #
    "    if (answer.ok) return location.reload();\n" #
    "    status.textContent = await answer.text();\n" #
    "  } catch {\n" #
    "    status.textContent = 'The canister cannot be reached. Try again.';\n" #
    "  } finally {\n" #
    "    button.disabled = false;\n" #
    "  }\n" #
    "});\n";
  };
};
