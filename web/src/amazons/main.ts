// Where the page of the Amazons begins.

import { Page } from "./page";

const page = new Page();
document.getElementById("app")!.append(page.element);
void page.open();
