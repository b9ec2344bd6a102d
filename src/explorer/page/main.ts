document.querySelector('main')?.replaceChildren('The Explorer')
