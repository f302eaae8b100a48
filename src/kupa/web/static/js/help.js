// Marks in the list of sections the one that is being read.

const links = [...document.querySelectorAll(".toc a")];
const sections = links.map((link) => document.querySelector(`[id="${link.getAttribute("href")?.slice(1)}"]`));

/** How far down the window a section's beginning counts as read. */
const READ = 120;

function mark() {
  const passed = sections.filter((section) => section && section.getBoundingClientRect().top <= READ).length;
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const at = isAtEnd && scrollY > 0 ? links.length - 1 : Math.max(0, passed - 1);
  links.forEach((link, index) => {
    if (index === at) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

addEventListener("scroll", mark, { passive: true });
addEventListener("resize", mark);
mark();
